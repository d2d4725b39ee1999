import Ingestion
import Model
import NoroshiWire
import Reasons

extension RequestReader {
    /// A text whose length in characters is within the range.
    func plainText(
        _ field: String,
        _ length: ClosedRange<Int>
    ) throws(FieldProblem) -> String? {
        guard let value = value(field) else { return nil }
        guard let text = value.stringValue, length.contains(text.count) else {
            throw problem(
                field,
                .textLength,
                ["first": "\(length.lowerBound)", "last": "\(length.upperBound)"]
            )
        }
        return text
    }

    func requiredPlainText(
        _ field: String,
        _ length: ClosedRange<Int>
    ) throws(FieldProblem) -> String {
        guard let text = try plainText(field, length) else { throw problem(field, .required) }
        return text
    }
}
