import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons
import Reports

extension ContentReader {
    mutating func readReport(_ line: ContentLine, _ book: WorkspaceSegmentResolver) throws {
        let id = try line.id()
        let former = state.content.reports.first { $0.id == id }
        var question = try here.question(try line.object("question"), field: "question")
        // It is asked each time of the period that ends then.
        question["ending_at"] = nil
        var name = try line.requiredText("name")
        do throws(ValidationError) {
            name = try SavedReportCheck.name(name)
        } catch {
            return report(error.problems, line)
        }
        let report = SavedReport(
            id: id,
            workspace: workspace,
            content: SavedReport.Content(
                name: name,
                kind: try line.requiredText("type"),
                question: question,
                isOnOverview: try line.flag("on_overview")
            ),
            author: try line.text("author", or: changes.audit.author),
            createdAt: now,
            updatedAt: now
        )
        guard keep(report, instead: former, \.reports, writer.line) else { return }
        try check(report.content, book)
    }

    /// Whether the question may be asked, with the segments of the file.
    private func check(_ content: SavedReport.Content, _ book: WorkspaceSegmentResolver) throws {
        let kind: ReportQuestion.Kind
        do {
            kind = try SavedReportCheck.kind(content.kind)
        } catch {
            throw FieldProblem(.request("type"), error.reason)
        }
        let segments = here.segments.mapValues { SegmentID($0) }
        let body = try RequestReader(.object(content.question), path: "question")
        var query = SegmentQuery()
        if let segment = try body.string("segment_id").flatMap(UUID.init(uuidString:)) {
            query.segments = segments[segment].map { [$0] } ?? []
        }
        if let audience = body.value("audience") {
            query.filter = try ConnectedAudienceReader.filter(
                audience: audience,
                field: "question.audience"
            )
        }
        try check(query, "question.audience", book)
        let settings = changes.settings ?? state.content.settings
        let form = ReportQuestionForm(
            zone: TimeZone(identifier: settings.timeZone) ?? .gmt,
            now: now,
            audience: query == SegmentQuery() ? nil : query,
            segments: segments
        )
        try SavedReportCheck.check(try form.question(kind, body).question)
    }
}

extension [String: JSONValue] {
    /// A report's question whose segments are called otherwise.
    func mappingSegments(_ name: (String) -> String) -> Self {
        func renamed(_ value: JSONValue) -> JSONValue {
            value.stringValue.map { .string(name($0)) } ?? value
        }
        var question = self
        if let segment = question["segment_id"] { question["segment_id"] = renamed(segment) }
        if case .object(var breakdown)? = question["breakdown"],
            case .array(let segments)? = breakdown["segments"]
        {
            breakdown["segments"] = .array(segments.map(renamed))
            question["breakdown"] = .object(breakdown)
        }
        return question
    }
}
