import NoroshiWire

extension Profile {
    /// First and last name in the order in which people with such names write them; empty when both
    /// are unknown.
    ///
    /// Names in Chinese characters, hiragana or hangul have the family name first. Those in katakana
    /// alone are foreign ones and keep their order, as in the Common Locale Data Repository
    /// (Unicode Technical Standard 35, part 8).
    package var fullName: String {
        let first = standard[.firstName]?.stringValue ?? ""
        let last = standard[.lastName]?.stringValue ?? ""
        let isFamilyFirst = (first + last).unicodeScalars.contains(where: Self.isEastAsian)
        return (isFamilyFirst ? [last, first] : [first, last]).filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private static func isEastAsian(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x309f, 0xac00...0xd7a3: true
        default: scalar.properties.isIdeographic
        }
    }
}
