/// The language and country in the locale of a device, such as `ja_JP` or `zh-Hant-TW`.
package struct DeviceLocale: Sendable, Hashable {
    /// The language's code, such as `ja`.
    package var language: String?
    /// The country's code, such as `JP`.
    package var country: String?

    package init(_ name: String) {
        // The text after `@` or `-u-` holds settings such as a calendar.
        let name = name.prefix { $0 != "@" && $0 != "." }
        let parts = name.split(whereSeparator: { $0 == "_" || $0 == "-" })
        guard let first = parts.first, Self.isCode(first, 2...8) else { return }
        language = first.lowercased()
        country =
            parts.dropFirst().prefix { $0.utf8.count > 1 }
            .first { Self.isCode($0, 2...2) }?.uppercased()
    }

    private static func isCode(_ text: Substring, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }
}
