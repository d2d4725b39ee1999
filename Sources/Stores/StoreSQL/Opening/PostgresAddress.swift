/// What an address of a PostgreSQL database says about where it is.
///
/// Read by hand: libpq's addresses may list several hosts, which Foundation takes for no address.
struct PostgresAddress: Sendable, Hashable {
    /// `host` or `host:port`, with commas between several; empty where libpq chooses.
    private(set) var servers = ""
    /// Empty where libpq chooses.
    private(set) var database = ""

    /// - Parameter text: A `postgres://` address or libpq's `keyword=value` pairs.
    init(_ text: String) {
        guard let scheme = text.prefixMatch(of: /postgres(ql)?:\/\//)?.range else {
            take(Self.pairs(text))
            return
        }
        let (location, query) = Self.split(text[scheme.upperBound...], at: "?")
        let (authority, path) = Self.split(location, at: "/")
        // A password may hold an "@" that nobody has encoded.
        let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
        let hosts = parts.last ?? ""
        // A password with a "/" or "?" ends the authority before its "@": then nothing is said of it.
        guard hosts.split(separator: ",").allSatisfy(Self.isHost) else {
            servers = "…"
            return
        }
        servers = String(hosts)
        database = String(path).removingPercents
        take(
            query.split(separator: "&").map { pair in
                let (name, value) = Self.split(pair, at: "=")
                return (String(name), String(value).removingPercents)
            }
        )
    }

    /// Tells of the known parts only, so that nothing else of the address is shown anywhere.
    var name: String { "postgres://" + servers + (database.isEmpty ? "" : "/" + database) }

    /// Whether what stands behind a colon is a port; an IPv6 address is in brackets.
    private static func isHost(_ text: Substring) -> Bool {
        let end = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[end...].firstIndex(of: ":") else { return true }
        return text[text.index(after: colon)...].allSatisfy(\.isWholeNumber)
    }

    private mutating func take(_ pairs: [(name: String, value: String)]) {
        let values = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
        database = values["dbname"] ?? database
        guard let host = values["host"] ?? values["hostaddr"] else {
            if servers.isEmpty, let port = values["port"] { servers = ":" + port }
            return
        }
        servers = host + (values["port"].map { ":" + $0 } ?? "")
    }

    private static func split(
        _ text: Substring,
        at mark: Character
    ) -> (Substring, Substring) {
        guard let place = text.firstIndex(of: mark) else { return (text, "") }
        return (text[..<place], text[text.index(after: place)...])
    }

    /// `keyword = value`, where a value with spaces stands between quotes and `\` goes before what it takes
    /// literally.
    private static func pairs(_ text: String) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var rest = text[...]
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].filter { !$0.isWhitespace }
            rest = rest[rest.index(after: sign)...].drop(while: \.isWhitespace)
            let isQuoted = rest.first == "'"
            if isQuoted { rest.removeFirst() }
            var value = ""
            while let next = rest.popFirst() {
                if isQuoted ? next == "'" : next.isWhitespace { break }
                value.append(next == "\\" ? rest.popFirst() ?? next : next)
            }
            pairs.append((String(name), value))
        }
        return pairs
    }
}

extension String {
    fileprivate var removingPercents: String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
