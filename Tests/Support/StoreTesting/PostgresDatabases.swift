import Foundation
import PostgresTesting
import StoreSQL
import Synchronization

/// The database behind a test's store.
package enum StoreKind: String, Sendable, CustomStringConvertible {
    case sqlite
    case postgres

    package var description: String { rawValue }

    /// What tests work on that do not say which: the environment's `NOROSHI_TEST_STORE`, or SQLite.
    package static let chosen =
        ProcessInfo.processInfo.environment["NOROSHI_TEST_STORE"].flatMap(StoreKind.init) ?? .sqlite

    /// Whether stores on PostgreSQL are behind pgbouncer, which the environment's `NOROSHI_TEST_POOLER=true` says.
    package static let isPooled =
        ProcessInfo.processInfo.environment["NOROSHI_TEST_POOLER"] == "true"

    /// Those that are installed.
    package static let available: [StoreKind] =
        TemporaryPostgres.isInstalled ? [.sqlite, .postgres] : [.sqlite]
}

/// The databases of a test run on PostgreSQL, by the files that stand for them.
enum PostgresDatabases {
    /// Those in use by their files.
    private static let known = Mutex<[String: String]>([:])

    /// The schema, which each new database is a copy of.
    private static let template = Result {
        let address = try TemporaryPostgres.shared().makeDatabase()
        _ = try SQLStore(postgres: address, readers: 1)
        return address
    }

    /// The address that a file holds; that of a new database if there is no file.
    ///
    /// - Parameter original: The address of a database to copy, to which nobody is connected any more; without
    ///   it the new one has no rows.
    static func address(at path: String, copying original: String? = nil) throws -> String {
        if let address = try? String(contentsOfFile: path, encoding: .utf8) { return address }
        try dropForgotten()
        let address = try TemporaryPostgres.shared()
            .makeDatabase(template: original ?? template.get())
        try Data(address.utf8).write(to: URL(filePath: path))
        known.withLock { $0[path] = address }
        return address
    }

    /// A test that ends removes its file; what it stood for takes memory.
    private static func dropForgotten() throws {
        let gone = known.withLock { known in
            let gone = known.filter { !FileManager.default.fileExists(atPath: $0.key) }
            for path in gone.keys { known[path] = nil }
            return gone.values
        }
        for address in gone { try TemporaryPostgres.shared().dropDatabase(address) }
    }
}
