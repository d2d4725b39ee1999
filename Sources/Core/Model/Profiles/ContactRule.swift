/// The syntax of e-mail addresses and phone numbers; whether they exist is not checked.
package enum ContactRule {
    /// Number of digits of a phone number with its country code, in E.164.
    private static let phoneDigits = 5...15
    /// Characters that people write between the digits.
    private static let separators: Set<Character> = [" ", "-", ".", "(", ")", "/", "\u{A0}"]

    /// Whether a text has the form of a phone number in E.164, with or without the plus sign and
    /// the usual separators.
    package static func isPhoneNumber(_ text: String) -> Bool {
        var digits = text[...]
        if digits.first == "+" { digits = digits.dropFirst() }
        let rest = digits.filter { !separators.contains($0) }
        return phoneDigits.contains(rest.count)
            && rest.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether a text has the form of an address: a local part, one `@`, a domain or a host name,
    /// no spaces.
    package static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
            && !text.contains { $0.isWhitespace || $0 == "<" || $0 == ">" }
    }
}
