import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An address of a machine: 4 bytes or 16.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    package let bytes: [UInt8]
    /// As it is written in a connection's target.
    package let description: String

    /// Reads the usual forms, `192.0.2.1` and `2001:db8::1`, and nothing else.
    package init?(_ text: String) {
        if let bytes = Self.bytes(4, AF_INET, text) {
            self.bytes = bytes
        } else if let bytes = Self.bytes(16, AF_INET6, text) {
            self.bytes = bytes
        } else {
            return nil
        }
        description = text.lowercased()
    }

    package init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// The system's reading of an address.
    private static func bytes(_ count: Int, _ family: Int32, _ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    package static func == (left: IPAddress, right: IPAddress) -> Bool {
        left.bytes == right.bytes
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// Addresses that begin with the same bits: `10.0.0.0/8`.
package struct AddressRange: Sendable, Hashable {
    private let first: IPAddress
    private let bits: Int

    /// Reads `address/bits`, or one address.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        let width = address.bytes.count * 8
        guard parts.count == 2 else {
            self.init(address, width)
            return
        }
        guard let bits = Int(parts[1]), (0...width).contains(bits) else { return nil }
        self.init(address, bits)
    }

    private init(_ first: IPAddress, _ bits: Int) {
        self.first = first
        self.bits = bits
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        for (index, byte) in address.bytes.enumerated() {
            let rest = bits - index * 8
            guard rest > 0 else { return true }
            let mask = rest >= 8 ? UInt8.max : ~(UInt8.max >> UInt8(rest))
            guard byte & mask == first.bytes[index] & mask else { return false }
        }
        return true
    }
}
