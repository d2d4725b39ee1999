import Reasons
import WebPages

/// Collects the errors of a form, in the member's language.
struct FormValidator {
    let context: ConsoleContext
    var faults: [FormFieldError] = []

    init(context: ConsoleContext) {
        self.context = context
    }

    mutating func fault(_ field: String, _ key: String, _ arguments: [String: String] = [:]) {
        faults.append(FormFieldError(field: field, text: context.words(key, arguments)))
    }

    mutating func fault(_ field: String, _ reason: Reason) {
        faults.append(FormFieldError(field: field, text: context.words(reason)))
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
                "least": context.words.number(range.lowerBound),
                "most": context.words.number(range.upperBound),
            ]
        )
        return empty
    }
}
