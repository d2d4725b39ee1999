/// What can be wrong in one room of the product: a case for each sentence, whose raw value is the
/// sentence in English with its places in braces, `at most {count} buttons`.
///
/// The name of a case is its code. Words in other languages stand under family and code, and a test
/// lists each case that has none.
package protocol ReasonCode: CaseIterable, Hashable, Sendable, RawRepresentable<String> {
    /// No other type of codes has the same.
    static var family: ReasonFamily { get }
}

extension ReasonCode {
    /// Under which its words stand, such as `liquid.dividedByZero`.
    package var key: String { "\(Self.family).\(self)" }
}
