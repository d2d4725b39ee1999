import Configuration
import ConnectedContent
import Foundation
import Model
import Reasons
import StoreSQL

/// How a value is read and bounded, whatever setting it is of.
extension Settings {
    static func flag(
        _ config: ConfigReader,
        _ key: String,
        default standard: Bool
    ) throws -> Bool {
        let text = config.string(forKey: ConfigKey([key]), default: "\(standard)")
        guard let flag = Bool(text) else {
            throw SettingError(key, .flag, ["value": .text(text)])
        }
        return flag
    }

    /// Reads a whole number.
    static func count(
        _ config: ConfigReader,
        _ key: String,
        from least: Int = 1,
        upTo limit: Int = 1_000_000_000,
        default standard: Int
    ) throws -> Int {
        let text = config.string(forKey: ConfigKey([key]), default: String(standard))
        guard let number = Int(text), (least...limit).contains(number) else {
            var arguments: [String: Reason.Argument] = ["value": .text(text), "first": "\(least)"]
            guard limit < 1_000_000_000 else { throw SettingError(key, .countFrom, arguments) }
            arguments["last"] = "\(limit)"
            throw SettingError(key, .count, arguments)
        }
        return number
    }

    static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ config: ConfigReader,
        _ key: String,
        default standard: Value
    ) throws -> Value {
        let text = config.string(forKey: ConfigKey([key]), default: standard.rawValue)
        guard let value = Value(rawValue: text) else {
            let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingError(key, .choice, ["value": .text(text), "known": .text(names)])
        }
        return value
    }

    /// Reads where the database is.
    package static func location(_ text: String) throws -> DatabaseLocation {
        let location = DatabaseLocation(text)
        switch location {
        case .postgres(let address) where !address.isEmpty: return location
        // A scheme that is not known is no file; what follows it may be a password.
        case .file(let path) where !path.isEmpty && !path.contains("://"): return location
        case .file, .postgres:
            let words = text.firstRange(of: "://").map { text[..<$0.upperBound] + "…" }
            throw SettingError("database", .database, ["value": .text(String(words ?? text[...]))])
        }
    }

    /// Reads what a server does among those of its database.
    static func roles(
        _ config: ConfigReader,
        of database: DatabaseLocation
    ) throws -> Set<ServerRole> {
        let key = "roles"
        guard let text = config.string(forKey: ConfigKey([key])) else { return .all }
        guard let roles = Set<ServerRole>(text: text) else {
            let known = Set<ServerRole>.all.text.replacing(",", with: ", ")
            throw SettingError(key, .roles, ["value": .text(text), "known": .text(known)])
        }
        guard roles == .all || database.path == nil else { throw SettingError(key, .rolesOfFile) }
        return roles
    }

    /// Reads where the pooler of a database of PostgreSQL is.
    static func pooler(
        _ config: ConfigReader,
        of database: DatabaseLocation
    ) throws -> DatabaseLocation? {
        let key = "database-pooler"
        guard let text = config.string(forKey: ConfigKey([key])) else { return nil }
        guard database.path == nil else { throw SettingError(key, .poolerOfFile) }
        guard case .postgres(let address) = DatabaseLocation(text), !address.isEmpty else {
            // What follows a scheme may be a password.
            let words = text.firstRange(of: "://").map { text[..<$0.upperBound] + "…" }
            throw SettingError(key, .pooler, ["value": .text(String(words ?? text[...]))])
        }
        return .postgres(address)
    }

    /// Reads `HOST:PORT`; an IPv6 address must be in brackets.
    package static func address(_ text: String, key: String) throws -> (String, Int) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(text[text.index(after: colon)...]),
            (0...65_535).contains(port), colon > text.startIndex
        else {
            throw SettingError(key, .address, ["value": .text(text)])
        }
        let host = text[..<colon].trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        return (host, port)
    }

    /// Reads comma-separated ranges of addresses.
    static func addresses(_ text: String) throws -> [Model.AddressRange] {
        try text.split(separator: ",").map { part in
            let range = part.trimmingCharacters(in: .whitespaces)
            guard let addresses = Model.AddressRange(range) else {
                throw SettingError("trusted-proxies", .proxies, ["value": .text(range)])
            }
            return addresses
        }
    }

    /// Reads the path of an existing folder.
    static func folder(_ config: ConfigReader, _ key: String) throws -> String? {
        guard let path = config.string(forKey: ConfigKey([key])) else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { throw SettingError(key, .noFolder, ["path": .text(path)]) }
        return path
    }

    static func allowList(_ config: ConfigReader, _ key: String) throws -> AllowList {
        do {
            return try AllowList(config.string(forKey: ConfigKey([key]), default: ""))
        } catch {
            throw SettingError(key, .allowed, ["value": .text(error.entry)])
        }
    }

    static func authorities(_ config: ConfigReader) throws -> ContentAuthorities {
        let key = "connected-content-authority"
        guard let path = config.string(forKey: ConfigKey([key])) else {
            return ContentAuthorities()
        }
        guard let pem = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw SettingError(key, .unreadable, ["path": .text(path)])
        }
        do {
            return try ContentAuthorities(pem: pem)
        } catch {
            throw SettingError(key, .noPEM, ["path": .text(path)])
        }
    }

    /// The address of a collector; without a path that of OTLP's specification.
    static func otlpEndpoint(_ config: ConfigReader) throws -> String? {
        let key = "otlp-endpoint"
        guard let text = config.string(forKey: ConfigKey([key])) else { return nil }
        guard var parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme),
            parts.host?.isEmpty == false, parts.query == nil, parts.fragment == nil
        else {
            throw SettingError(key, .collector, ["value": .text(text)])
        }
        if parts.path.isEmpty || parts.path == "/" { parts.path = "/v1/traces" }
        return parts.string
    }
}
