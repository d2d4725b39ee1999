import Foundation
import Model
import Reasons
import Reports
import WebPages

/// The fields with which a report is saved, and those of its question, which it carries along.
struct SaveReportForm {
    private static let own: Set<String> = [
        "csrf", "kind", "saved", "name", "onOverview", "address", "weekday", "time", "copy",
        "notice",
    ]

    let kind: String
    let name: String
    let isOnOverview: Bool
    let address: String
    let weekday: Int
    let time: String
    /// Whether another report is saved, beside the one that was shown.
    let isCopy: Bool
    /// The fields of the question.
    let question: [(name: String, value: String)]

    /// - Parameter former: The report that is changed.
    init(_ fields: FormFields, _ former: SavedReport?) {
        let content = former?.content
        let isPosted = fields.has("name")
        kind = fields.value("kind") ?? content?.kind ?? ""
        name = fields.value("name") ?? content?.name ?? ""
        isOnOverview =
            isPosted ? fields["onOverview"] == "yes" : content?.isOnOverview ?? false
        address = (fields.value("address") ?? content?.schedule?.address ?? "")
            .trimmingCharacters(in: .whitespaces)
        weekday = Int(fields["weekday"]) ?? content?.schedule?.weekday ?? 1
        time = fields.value("time") ?? content?.schedule?.time.description ?? "08:00"
        isCopy = fields["copy"] == "yes"
        question = fields.entries.filter { !Self.own.contains($0.name) }
    }

    /// Whether it has a question of its own; else the report keeps the one it has.
    var hasQuestion: Bool { !question.isEmpty }

    func schedule() throws(ValidationError) -> SavedReport.Schedule? {
        guard !address.isEmpty else { return nil }
        guard let time = TimeOfDay(String(time.prefix(5))) else {
            throw ValidationError([FieldProblem("weekly.time", .timeOfDay)])
        }
        return SavedReport.Schedule(address: address, weekday: weekday, time: time)
    }
}
