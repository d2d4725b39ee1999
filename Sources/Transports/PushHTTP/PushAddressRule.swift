import Foundation
import NIOCore

/// Tells public addresses from those that only this machine or its network can reach.
///
/// It looks at bytes, not at text: `fcm.googleapis.com` begins like a private IPv6 address.
package enum PushAddressRule {
    /// Whether a host name is an address literal.
    package static func isAddress(_ host: String) -> Bool {
        (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }

    /// Whether an address may be connected to on behalf of a client.
    package static func isPublic(_ address: SocketAddress) -> Bool {
        // The numeric form is the only portable way to the bytes.
        guard let text = address.ipAddress else { return false }
        if let bytes = bytes(of: text, family: AF_INET, count: 4) { return isPublic(v4: bytes) }
        if let bytes = bytes(of: text, family: AF_INET6, count: 16) { return isPublic(v6: bytes) }
        return false
    }

    private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let isRead = bytes.withUnsafeMutableBytes { inet_pton(family, text, $0.baseAddress) }
        return isRead == 1 ? bytes : nil
    }

    private static func isPublic(v4 bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _): false
        case (100, 64...127, _), (172, 16...31, _), (198, 18...19, _): false
        case (192, 0, 0), (192, 0, 2), (198, 51, 100), (203, 0, 113), (192, 88, 99): false
        case (224...255, _, _): false
        default: true
        }
    }

    private static func isPublic(v6 bytes: [UInt8]) -> Bool {
        let embedded = Array(bytes[12..<16])
        // Mapped (::ffff:0:0/96), translated (64:ff9b::/96) and 6to4 (2002::/16) carry an IPv4
        // address, which decides.
        if bytes[0..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return isPublic(v4: embedded)
        }
        if bytes[0..<12].elementsEqual([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return isPublic(v4: embedded)
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isPublic(v4: Array(bytes[2..<6])) }
        if bytes[0..<4].elementsEqual([0x20, 0x01, 0x0d, 0xb8]) { return false }
        // Only 2000::/3 is given out to the public.
        return bytes[0] & 0xe0 == 0x20
    }
}
