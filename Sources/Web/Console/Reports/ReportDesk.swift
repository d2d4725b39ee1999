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
    private let visit: Visit

    init(_ site: ConsoleRenderer, _ kind: ReportKind, _ visit: Visit) async throws {
        self.site = site
        self.visit = visit
        self.kind = kind
        form = Self.form(visit.query, kind, visit)
        let known = ReportFields.Known(
            events: try await site.services.events.names(
                in: visit.workspace,
                limit: Self.maxEvents,
                offset: 0
            ),
            segments: try await site.services.segments.segments(in: visit.workspace)
        )
        segments = known.segments
        var fields = ReportFields(
            form,
            kind,
            units: kind.units,
            known: known,
            saved: visit.query["saved"],
            words: visit.words
        )
        question = form.question(kind, known.segments)
        let since = try await Self.completeSince(question, kind, site, visit)
        fields.completeSince = since.map {
            visit.words("reports.complete_since", ["date": visit.moment($0).exact])
        }
        self.fields = fields
    }

    private static func completeSince(
        _ question: [String: JSONValue]?,
        _ kind: ReportKind,
        _ site: ConsoleRenderer,
        _ visit: Visit
    ) async throws -> Date? {
        guard let question, let asked = kind.question else { return nil }
        do {
            let found = try await site.services.questions.question(
                asked,
                RequestReader(.object(question)),
                in: visit.workspace
            )
            return try await site.services.activityReports.completeSince(
                found.question,
                in: visit.workspace
            )
        } catch  where error is FieldProblem || error is AudienceProblem {
            // The answer says what hinders it.
            return nil
        }
    }

    /// The form that fields say.
    static func form(_ fields: FormFields, _ kind: ReportKind, _ visit: Visit) -> ReportForm {
        ReportForm(
            fields: fields,
            units: kind.units,
            usually: [.hour: 48, .day: 30, .week: 8, .month: 12],
            currency: visit.home.currency
        )
    }

    /// Where this question is saved.
    var saveAddress: String {
        ConsolePath.saveReport.query(
            FormFields([(name: "kind", value: kind.rawValue)] + visit.query.entries)
        )
    }

    /// The answer, or what hinders it; neither while too little is chosen.
    func answer() async throws -> (answer: ReportAnswer?, problem: String?) {
        guard let question, let asked = kind.question else { return (nil, nil) }
        do {
            let found = try await site.services.questions.question(
                asked,
                RequestReader(.object(question)),
                in: visit.workspace
            )
            return (
                try await site.services.activityReports.answer(
                    found.question,
                    in: visit.workspace
                ), nil
            )
        } catch let problem as FieldProblem {
            return (nil, Self.text(problem.reason, visit.words))
        } catch let problem as AudienceProblem {
            return (nil, Self.text(problem, visit.words))
        }
    }

    static func text(_ problem: AudienceProblem, _ words: Words) -> String {
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
        ReportFields.label(group, segments, visit.words)
    }
}
