/// A range of internet addresses in CIDR form, such as `10.0.0.0/8` or `2001:db8::/32`, or a single
/// address.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    /// The range as written.
    package let description: String
    /// 16 bytes; an IPv4 address is in the IPv6 range for IPv4 addresses.
    private let bytes: [UInt8]
    /// Length of the prefix, in bits.
    private let length: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let address = Self.bytes(of: parts[0]) else {
            return nil
        }
        let isShort = !parts[0].contains(":")
        guard parts.count == 2 else {
            (description, bytes, length) = (text, address, 128)
            return
        }
        guard let bits = Int(parts[1]), (0...(isShort ? 32 : 128)).contains(bits) else {
            return nil
        }
        (description, bytes, length) = (text, address, isShort ? bits + 96 : bits)
    }

    /// Whether `address`, written as text, is in the range; `false` if it is not an address.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address[...]) else { return false }
        return contains(other)
    }

    package func contains(_ address: IPAddress) -> Bool { contains(address.bytes) }

    private func contains(_ other: [UInt8]) -> Bool {
        let whole = length / 8
        guard bytes[..<whole] == other[..<whole] else { return false }
        guard length % 8 > 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (length % 8))
        return bytes[whole] & mask == other[whole] & mask
    }

    /// The addresses of one host: an IPv4 address, or the first half of an IPv6 address, because a
    /// network assigns a practically unlimited number of addresses to each host. The text itself if
    /// it is not an address.
    package static func host(of address: String) -> String {
        guard let bytes = bytes(of: address[...]) else { return address }
        let isShort = bytes[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return (isShort ? bytes[12...] : bytes[..<8]).map { String($0, radix: 16) }
            .joined(separator: isShort ? "." : ":")
    }

    /// The 16 bytes of an address given as text; `nil` for other text.
    static func bytes(of text: Substring) -> [UInt8]? {
        // The text after a percent sign names an interface of the host.
        let text = text.prefix { $0 != "%" }
        if !text.contains(":") {
            return shortAddress(text).map { Array(repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
        }
        guard let gap = text.firstRange(of: "::") else {
            return groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let before = groups(text[..<gap.lowerBound]),
            let after = groups(text[gap.upperBound...]), before.count + after.count <= 14
        else { return nil }
        return before + Array(repeating: 0, count: 16 - before.count - after.count) + after
    }

    /// The bytes of the groups of four digits; the last one may be an IPv4 address.
    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part.contains(".") {
                guard index == parts.count - 1, let short = shortAddress(part) else { return nil }
                bytes += short
            } else {
                guard (1...4).contains(part.count), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func shortAddress(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.allSatisfy { ("0"..."9").contains($0) } ? UInt8(part) : nil
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }
}
