import Foundation
import Logging
import Model
import Ports
import PostgresTesting
import StoreSQL
import Testing

@testable import Server

@Suite("Copies of the database, for rehearsals")
struct DatabaseCopyTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-copies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func server(_ database: String) throws -> NoroshiServer {
        try NoroshiServer(
            settings: Settings(databasePath: database, port: 0),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    @Test("the copy that a killed server left is removed at the next start, and nothing else")
    func leftBehind() async throws {
        try await withFolder { folder in
            let database = folder.appending(path: "tea.sqlite").path
            let left = folder.appending(path: "tea.sqlite.rehearsal")
            let other = folder.appending(path: "other.sqlite.rehearsal")
            for folder in [left, other] {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
                try Data("everybody".utf8).write(to: folder.appending(path: "rehearsal.sqlite"))
            }
            _ = try server(database)
            #expect(!FileManager.default.fileExists(atPath: left.path))
            #expect(FileManager.default.fileExists(atPath: other.path))
        }
    }

    @Test("a copy has what the database has, is the owner's only, and is gone when it is removed")
    func copy() async throws {
        try await withFolder { folder in
            let database = folder.appending(path: "tea.sqlite").path
            let server = try server(database)
            let workspace = try await server.store.createWorkspace(
                name: "Tea",
                timeZone: "UTC",
                now: .distantPast
            )
            let place = folder.appending(path: "copy")
            let copy = try await DatabaseCopy(of: .file(database), in: place)
            #expect(try await copy.store.workspaces().map(\.id) == [workspace])
            let facts = try FileManager.default.attributesOfItem(atPath: place.path)
            #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o700)
            // What is written into it is not in the database.
            _ = try await copy.store.createWorkspace(
                name: "Coffee",
                timeZone: "UTC",
                now: .distantPast
            )
            #expect(try await server.store.workspaces().count == 1)
            copy.remove()
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test("a database that cannot be copied leaves no folder")
    func unreadable() async throws {
        try await withFolder { folder in
            let broken = folder.appending(path: "broken.sqlite")
            try Data(repeating: 0x41, count: 8_192).write(to: broken)
            let place = folder.appending(path: "copy")
            await #expect(throws: (any Error).self) {
                _ = try await DatabaseCopy(of: .file(broken.path), in: place)
            }
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }
    }

    @Test("nobody's folder is taken for a copy: it could be read by others")
    func foreignFolder() async throws {
        try await withFolder { folder in
            let place = folder.appending(path: "copy")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            await #expect(throws: (any Error).self) {
                _ = try await DatabaseCopy(of: nil, in: place)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
        }
    }

    @Test(
        "a copy of a database of PostgreSQL is a file with what was there, whoever writes on",
        .enabled(
            if: TemporaryPostgres.isInstalled,
            "PostgreSQL's programs and libpq are not installed on this machine"
        )
    )
    func postgres() async throws {
        try await withFolder { folder in
            let address = try TemporaryPostgres.shared().makeDatabase()
            let database = try SQLStore(postgres: address)
            let workspace = try await database.createWorkspace(
                name: "Tea",
                timeZone: "Asia/Tokyo",
                now: .distantPast
            )
            let place = folder.appending(path: "copy")
            let copy = try await DatabaseCopy(of: DatabaseLocation(address), in: place)
            #expect(try await copy.store.workspaces().map(\.id) == [workspace])
            #expect(try await copy.store.timeZone(of: workspace).identifier == "Asia/Tokyo")
            // New rows of the two go on from the same numbers, each by itself.
            let there = try await copy.store.createWorkspace(
                name: "Coffee",
                timeZone: "UTC",
                now: .distantPast
            )
            let here = try await database.createWorkspace(
                name: "Cocoa",
                timeZone: "UTC",
                now: .distantPast
            )
            #expect(there == here)
            #expect(try await database.workspaces().map(\.name) == ["Tea", "Cocoa"])
            copy.remove()
            #expect(!FileManager.default.fileExists(atPath: place.path))
            try await database.close()
        }
    }

    @Test(
        "a copy of a database of PostgreSQL that a killed server left is removed; another server's stays"
    )
    func leftBehindOfPostgres() async throws {
        try await withFolder { folder in
            // Its address is looked at only, for its name is the same at each start.
            let database = DatabaseLocation("postgres://db.example.com/\(UUID())")
            let ended = Process()
            ended.executableURL = URL(filePath: "/bin/true")
            try ended.run()
            ended.waitUntilExit()
            let own = DatabaseCopy.folder(of: database)
            let left = DatabaseCopy.folder(of: database, process: ended.processIdentifier)
            let working = DatabaseCopy.folder(of: database, process: getppid())
            for folder in [own, left, working] {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true
                )
            }
            defer { try? FileManager.default.removeItem(at: working) }
            let store = try SQLStore(path: folder.appending(path: "tea.sqlite").path)
            _ = DatabaseCopy.source(of: database, store)
            #expect(!FileManager.default.fileExists(atPath: own.path))
            #expect(!FileManager.default.fileExists(atPath: left.path))
            #expect(FileManager.default.fileExists(atPath: working.path))
        }
    }
}
