/// The rule for what a tap opens.
package enum LinkAddress {
    /// Schemes of what runs or is shown in a page, which no app can open.
    private static let pageSchemes: Set<String> = ["javascript", "vbscript", "data"]

    /// Whether the text has a scheme that an app can open, as RFC 3986 (3.1) writes one, and
    /// something after it.
    package static func isOpenable(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter else { return false }
        let isPlain = scheme.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
        }
        return isPlain && !pageSchemes.contains(scheme.lowercased())
            && text.index(after: colon) < text.endIndex
            && !text.contains(where: \.isNewline)
    }

    /// Whether a template may become an address that an app can open: Liquid is allowed in place of
    /// the scheme and anywhere after it.
    package static func mayBeOpenable(_ template: String) -> Bool {
        template.hasPrefix("{{") || template.hasPrefix("{%") || isOpenable(template)
    }
}
