import Foundation
import Model
import NoroshiWire
import Reasons
import Reports

/// What must hold of a report that is saved, wherever it comes from.
package enum SavedReportCheck {
    /// The name without spaces around it.
    package static func name(_ name: String) throws(ValidationError) -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= SavedReport.nameLimit,
            !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw ValidationError([
                FieldProblem("name", .name, ["count": "\(SavedReport.nameLimit)"])
            ])
        }
        return name
    }

    package static func kind(_ name: String) throws(FieldProblem) -> ReportQuestion.Kind {
        guard let kind = ReportQuestion.Kind(rawValue: name) else {
            let kinds = ReportQuestion.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw FieldProblem(
                .request("kind"),
                Reason(RequestReason.isOneOf, ["known": .text(kinds)])
            )
        }
        return kind
    }

    package static func check(_ question: ReportQuestion) throws(FieldProblem) {
        do {
            try question.check()
        } catch {
            throw FieldProblem(.request("question.\(error.field)"), error.reason)
        }
    }
}
