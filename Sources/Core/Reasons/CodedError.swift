/// An error that is nothing but a code with what stands in its sentence.
package struct CodedError<Code: ReasonCode>: ReasonedError, Sendable, Hashable {
    package let code: Code
    package let reason: Reason

    package init(_ code: Code, _ arguments: [String: Reason.Argument] = [:]) {
        self.code = code
        reason = Reason(code, arguments)
    }

    package var description: String { reason.description }
}
