import Foundation

/// The address at which clients reach this server: the prefix of links to it.
package struct PublicAddress: Sendable, Hashable, CustomStringConvertible {
    private static let schemes = ["http", "https"]

    package let description: String

    /// Parses `https://host` or `http://host:port`, with or without a trailing slash.
    package init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let host = parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]
        self.init(scheme: String(parts[0]), host: String(host))
    }

    /// The address itself, if it is one of HTTPS.
    var secure: PublicAddress? { description.hasPrefix("https:") ? self : nil }

    /// `nil` for a scheme other than HTTP and HTTPS, or a host that is not a valid name or address:
    /// both may come from the client.
    init?(scheme: String, host: String) {
        let scheme = scheme.lowercased()
        guard Self.schemes.contains(scheme), Self.isHost(host) else { return nil }
        description = "\(scheme)://\(host)"
    }

    /// Letters, digits, dots and hyphens, or an IPv6 address in brackets, with an optional port.
    private static func isHost(_ text: String) -> Bool {
        var name = text[...]
        var port: Substring?
        if let close = name.lastIndex(of: "]") {
            let rest = name[name.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return false }
            if !rest.isEmpty { port = rest.dropFirst() }
            let digits = name[..<close]
            guard digits.hasPrefix("[") else { return false }
            name = digits.dropFirst()
            guard (2...39).contains(name.utf8.count),
                name.utf8.allSatisfy({ $0 == UInt8(ascii: ":") || isHexDigit($0) })
            else { return false }
        } else {
            if let colon = name.firstIndex(of: ":") {
                port = name[name.index(after: colon)...]
                name = name[..<colon]
            }
            guard (1...253).contains(name.utf8.count), name.first != "-",
                name.utf8.allSatisfy(isNameByte)
            else { return false }
        }
        guard let port else { return true }
        return (1...5).contains(port.utf8.count) && port.utf8.allSatisfy(isDigit)
            && UInt16(port) != nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...70).contains(byte) || (97...102).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }
}
