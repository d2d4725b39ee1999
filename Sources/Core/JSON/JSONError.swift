import Reasons

/// An error in a JSON text, with its location.
package struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: JSONReason
    /// Offset from the beginning, in bytes.
    package var offset: Int
    /// The path of the invalid field, such as `attributes.0.first_name`; `nil` if the error is not
    /// in a field.
    package var path: String?

    init(_ code: JSONReason, offset: Int, path: String? = nil) {
        self.code = code
        self.offset = offset
        self.path = path
    }

    /// What is wrong, without its location.
    package var problem: Reason {
        Reason(code, code == .tooDeep ? ["count": "\(JSONDocument.depthLimit)"] : [:])
    }

    /// What is wrong, and where.
    package var reason: Reason {
        if let path {
            Reason(JSONReason.inField, ["field": .text(path), "reason": .reason(problem)])
        } else {
            Reason(JSONReason.atByte, ["offset": "\(offset)", "reason": .reason(problem)])
        }
    }

    package var message: String { problem.description }

    package var description: String { reason.description }
}
