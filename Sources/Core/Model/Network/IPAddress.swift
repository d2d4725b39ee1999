/// The address of a machine on the internet.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 16 bytes; an IPv4 address is in the IPv6 range for IPv4 addresses (`::ffff:0:0/96`).
    package let bytes: [UInt8]
    /// Whether it was written as an IPv4 address.
    package let isIPv4: Bool
    /// The address as written, in lowercase: a connection can be made to it.
    package let description: String

    /// Parses the usual forms, `192.0.2.1` and `2001:db8::1`, and nothing else: neither the other
    /// bases and lengths that some resolvers accept, nor the name of an interface.
    package init?(_ text: String) {
        guard !text.contains("%"), !Self.hasLeadingZero(text),
            let bytes = AddressRange.bytes(of: text[...])
        else { return nil }
        self.bytes = bytes
        isIPv4 = !text.contains(":")
        description = text.lowercased()
    }

    /// The IPv4 address in the last four bytes.
    init(last4BytesOf address: IPAddress) {
        let last = address.bytes.suffix(4)
        bytes = Array(repeating: 0, count: 10) + [0xFF, 0xFF] + last
        isIPv4 = true
        description = last.map(String.init).joined(separator: ".")
    }

    /// Whether a part of an IPv4 address begins with a zero, which some parsers treat as octal.
    private static func hasLeadingZero(_ text: String) -> Bool {
        guard text.contains(".") else { return false }
        let parts = text.split { $0 == "." || $0 == ":" }.suffix(4)
        return parts.contains { $0.count > 1 && $0.hasPrefix("0") }
    }

    package static func == (left: IPAddress, right: IPAddress) -> Bool {
        left.bytes == right.bytes && left.isIPv4 == right.isIPv4
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
