import Foundation
import Server
import StoreSQL
import StoreTesting

/// The database of a server in a test: a file or, where tests work on PostgreSQL, a database of it.
package struct TestDatabase: Sendable {
    package let location: DatabaseLocation
    /// The file with the key of its secrets.
    package let keyPath: String

    /// - Parameters:
    ///   - path: The file, which need not be there. On PostgreSQL it holds the address of the database.
    ///   - kind: What it is on, unless it is what all tests work on.
    /// - Throws: What making a database or writing a file can throw.
    package init(at path: String, on kind: StoreKind = .chosen) throws {
        location = try .testing(at: path, on: kind)
        keyPath = path + ".key"
        // A server makes the key of a file only, because it has to be the same on all servers.
        if kind == .postgres, !FileManager.default.fileExists(atPath: keyPath) {
            let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
            try key.base64EncodedData().write(to: URL(filePath: keyPath))
        }
    }

    /// What a server in this process is told; it listens at a port that is free.
    package var settings: Settings {
        var settings = Settings(database: location, port: 0)
        settings.secretKeyPath = keyPath
        return settings
    }

    /// What a command is told.
    package var options: [String] {
        ["--database", address, "--secret-key-file", keyPath]
    }

    /// As settings and commands name it.
    package var address: String {
        switch location {
        case .file(let path): "sqlite:" + path
        case .postgres(let address): address
        }
    }
}
