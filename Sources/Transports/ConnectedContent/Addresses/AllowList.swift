import Model

/// An entry that is no host name, address or range of addresses, with or without a port.
package struct AllowListError: Error, Sendable {
    package let entry: String
}

/// Hosts outside of the public network that templates may call, for intranets and tests.
package struct AllowList: Sendable, Hashable {
    private enum Target: Hashable {
        case name(String)
        case range(AddressRange)
    }

    private struct Entry: Hashable {
        let target: Target
        /// `nil` means every port.
        let port: Int?
    }

    private var entries: [Entry] = []

    package init() {}

    /// Reads comma-separated entries: `intranet.example`, `10.1.0.0/16`, `127.0.0.1:9000`,
    /// `[::1]:9000`.
    ///
    /// - Throws: `AllowListError` that names the entry.
    package init(_ text: String) throws(AllowListError) {
        for part in text.split(separator: ",") {
            let entry = part.drop { $0 == " " }
            let trimmed = String(entry.reversed().drop { $0 == " " }.reversed())
            guard let entry = Self.entry(trimmed) else { throw AllowListError(entry: trimmed) }
            entries.append(entry)
        }
    }

    private static func entry(_ text: String) -> Entry? {
        if let range = AddressRange(text) { return Entry(target: .range(range), port: nil) }
        var host = text
        var port: Int?
        if let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...])
        {
            guard (1...65_535).contains(number) else { return nil }
            port = number
            host = String(text[..<colon])
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if let range = AddressRange(host) { return Entry(target: .range(range), port: port) }
        let name = host.lowercased()
        guard ContentAddress.isHostName(name) else { return nil }
        return Entry(target: .name(name), port: port)
    }

    func allows(_ address: IPAddress, of host: String, port: Int) -> Bool {
        entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            switch entry.target {
            case .name(let name): return name == host
            case .range(let range): return range.contains(address)
            }
        }
    }
}
