import Analytics
import Audience
import Foundation
import Model
import NoroshiWire
import Reasons
import Reports
import WebPages

/// What a page of reports works with: the form in its address, and the question that it says.
struct ReportDesk {
    private static let maxEvents = 250

    let kind: ReportKind
    let form: ReportForm
    let fields: ReportFields
    let segments: [StoredSegment]
    /// `nil` while too little is chosen.
    let question: [String: JSONValue]?
    private let site: ConsoleRenderer
    private let context: ConsoleContext

    init(_ site: ConsoleRenderer, _ kind: ReportKind, _ context: ConsoleContext) async throws {
        self.site = site
        self.context = context
        self.kind = kind
        form = Self.form(context.query, kind, context)
        let known = ReportFields.Known(
            events: try await site.services.events.names(
                in: context.workspace,
                limit: Self.maxEvents,
                offset: 0
            ),
            segments: try await site.services.segments.segments(in: context.workspace)
        )
        segments = known.segments
        var fields = ReportFields(
            form,
            kind,
            units: kind.units,
            known: known,
            saved: context.query["saved"],
            words: context.words
        )
        question = form.question(kind, known.segments)
        let since = try await Self.completeSince(question, kind, site, context)
        fields.completeSince = since.map {
            context.words("reports.complete_since", ["date": context.moment($0).exact])
        }
        self.fields = fields
    }

    private static func completeSince(
        _ question: [String: JSONValue]?,
        _ kind: ReportKind,
        _ site: ConsoleRenderer,
        _ context: ConsoleContext
    ) async throws -> Date? {
        guard let question, let asked = kind.question else { return nil }
        do {
            let found = try await site.services.questions.question(
                asked,
                RequestReader(.object(question)),
                in: context.workspace
            )
            return try await site.services.activityReports.completeSince(
                found.question,
                in: context.workspace
            )
        } catch  where error is FieldProblem || error is AudienceError {
            // The answer says what hinders it.
            return nil
        }
    }

    /// The form that fields say.
    static func form(_ fields: FormFields, _ kind: ReportKind, _ context: ConsoleContext)
        -> ReportForm
    {
        ReportForm(
            fields: fields,
            units: kind.units,
            usually: [.hour: 48, .day: 30, .week: 8, .month: 12],
            currency: context.home.currency
        )
    }

    /// Where this question is saved.
    var saveAddress: String {
        ConsolePath.saveReport.query(
            FormFields([(name: "kind", value: kind.rawValue)] + context.query.entries)
        )
    }

    /// The answer, or what hinders it; neither while too little is chosen.
    func answer() async throws -> (answer: ReportAnswer?, problem: String?) {
        guard let question, let asked = kind.question else { return (nil, nil) }
        do {
            let found = try await site.services.questions.question(
                asked,
                RequestReader(.object(question)),
                in: context.workspace
            )
            return (
                try await site.services.activityReports.answer(
                    found.question,
                    in: context.workspace
                ), nil
            )
        } catch let problem as FieldProblem {
            return (nil, Self.text(problem.reason, context.words))
        } catch let problem as AudienceError {
            return (nil, Self.text(problem, context.words))
        }
    }

    static func text(_ problem: AudienceError, _ words: Words) -> String {
        problem.code == .notReady ? words("reports.not_ready") : words(problem.reason)
    }

    /// A reason for a member: what only programs are told has no words.
    static func text(_ reason: Reason, _ words: Words) -> String {
        let family = reason.code.split(separator: ".").first.flatMap {
            ReasonFamily(rawValue: String($0))
        }
        return family?.isForPrograms == true ? words("reports.not_asked") : words(reason)
    }

    /// What a part of the report is called.
    func name(of group: ReportGroup) -> String {
        ReportFields.label(group, segments, context.words)
    }
}
