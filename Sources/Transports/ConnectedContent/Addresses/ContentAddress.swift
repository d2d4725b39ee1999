import Model
import Ports
import Reasons

/// The URL of a call, parsed strictly and written in one form, so that no later reader extracts a
/// different host from it.
struct ContentAddress: Sendable, Hashable {
    let isSecure: Bool
    /// In lowercase; an IPv6 address without its brackets.
    let host: String
    let port: Int
    /// Path and query, percent-encoded.
    let target: String

    /// - Throws: `ContentFetchError.refused`
    init(_ text: String) throws(ContentFetchError) {
        func refused(_ code: ContentCallReason) -> ContentFetchError {
            .refused(code, ["address": .text(String(text.prefix(200)))])
        }
        var rest = text.utf8[...]
        if Self.drop("https://", from: &rest) {
            isSecure = true
        } else if Self.drop("http://", from: &rest) {
            isSecure = false
        } else {
            throw refused(.addressScheme)
        }
        let end =
            rest.firstIndex {
                [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
            }
            ?? rest.endIndex
        let authority = String(decoding: rest[..<end], as: UTF8.self)
        guard !authority.contains("@") else {
            throw refused(.addressPassword)
        }
        let parts = Self.parts(of: authority)
        guard let (host, port) = parts else { throw refused(.addressPort) }
        self.host = host.lowercased()
        self.port = port ?? (isSecure ? 443 : 80)
        guard Self.isHostName(self.host) || IPAddress(self.host) != nil else {
            throw refused(.addressHost)
        }
        target = Self.encoded(rest[end...])
    }

    /// The host and the port; `nil` if the text after the colon is not a port.
    private static func parts(of authority: String) -> (String, Int?)? {
        var host = authority[...]
        var port = authority.suffix(0)
        if let close = authority.lastIndex(of: "]") {
            host = authority[..<authority.index(after: close)]
            port = authority[authority.index(after: close)...]
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[colon...]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !port.isEmpty, port != ":" else { return (String(host), nil) }
        guard port.first == ":", let number = Int(port.dropFirst()), (1...65_535).contains(number)
        else { return nil }
        return (String(host), number)
    }

    /// Whether the text has only letters, digits, dots and dashes, and could not be read as a
    /// number by a resolver.
    static func isHostName(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253 else { return false }
        return text.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 46
                || byte == 95
        }
    }

    /// Percent-encodes everything that a request line may not contain, and drops the fragment.
    private static func encoded(_ text: Substring.UTF8View) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text {
            if byte == UInt8(ascii: "#") { break }
            if byte > 32, byte < 127, !Array("\"<>\\^`{|}".utf8).contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        if bytes.first != UInt8(ascii: "/") { bytes.insert(UInt8(ascii: "/"), at: 0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func drop(_ scheme: String, from text: inout Substring.UTF8View) -> Bool {
        let head = text.prefix(scheme.utf8.count)
        guard String(decoding: head, as: UTF8.self).lowercased() == scheme else { return false }
        text = text.dropFirst(scheme.utf8.count)
        return true
    }

    /// The address in its canonical form.
    var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(name):\(port)\(target)"
    }
}
