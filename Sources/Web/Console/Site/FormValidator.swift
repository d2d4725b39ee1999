import Reasons
import WebPages

/// Collects the errors of a form, in the member's language.
struct FormValidator {
    let visit: Visit
    var faults: [FormFault] = []

    init(visit: Visit) {
        self.visit = visit
    }

    mutating func fault(_ field: String, _ key: String, _ arguments: [String: String] = [:]) {
        faults.append(FormFault(field: field, text: visit.words(key, arguments)))
    }

    mutating func fault(_ field: String, _ reason: Reason) {
        faults.append(FormFault(field: field, text: visit.words(reason)))
    }

    /// The number, if it is within the range; otherwise reports an error and returns `empty`.
    mutating func number(
        _ field: String,
        _ text: String,
        _ range: ClosedRange<Int>,
        empty: Int
    ) -> Int {
        if text.isEmpty { return empty }
        if let number = Int(text), range.contains(number) { return number }
        fault(
            field,
            "fault.range",
            [
                "least": visit.words.number(range.lowerBound),
                "most": visit.words.number(range.upperBound),
            ]
        )
        return empty
    }
}
