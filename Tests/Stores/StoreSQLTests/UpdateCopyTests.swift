import Foundation
import GRDB
import Model
import Ports
import Testing

@testable import StoreSQL

@Suite("The copy before an update")
struct UpdateCopyTests {
    private let moment = Date(timeIntervalSince1970: 1_790_000_000)

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-update-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// A database as the first version wrote it, with a workspace.
    private func makeEarlier(_ path: String, name: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Migrations.migrator.migrate(queue, upTo: "1 first schema")
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO workspaces VALUES (1, ?, 'UTC', 0)",
                arguments: [name]
            )
        }
        try queue.close()
    }

    private func copies(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.contains("before-update") }.sorted()
    }

    @Test("has what was there, in the earlier version's form, for its owner alone")
    func copy() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "noroshi.sqlite").path
            try makeEarlier(path, name: "Kissa")
            let store = try SQLStore(path: path, now: moment)
            #expect(try await store.workspaces().map(\.settings.name) == ["Kissa"])
            #expect(try copies(folder) == ["noroshi.sqlite.before-update-20260921T141320Z"])
            let copy = folder.appending(path: "noroshi.sqlite.before-update-20260921T141320Z").path
            let facts = try FileManager.default.attributesOfItem(atPath: copy)
            #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let queue = try DatabaseQueue(path: copy)
            let (applied, name) = try await queue.read { database in
                (
                    try Migrations.migrator.appliedIdentifiers(database),
                    try String.fetchOne(database, sql: "SELECT name FROM workspaces")
                )
            }
            #expect(applied == ["1 first schema"])
            #expect(name == "Kissa")
            // Nothing is to be done at the next start.
            try await store.close()
            try await SQLStore(path: path, now: moment.addingTimeInterval(60)).close()
            #expect(try copies(folder).count == 1)
        }
    }

    @Test("is not made of a new database, nor where it is not wanted")
    func none() async throws {
        try await withFolder { folder in
            try await SQLStore(path: folder.appending(path: "new.sqlite").path).close()
            let path = folder.appending(path: "old.sqlite").path
            try makeEarlier(path, name: "Kissa")
            try await SQLStore(path: path, copiesBeforeUpdate: false).close()
            #expect(try copies(folder).isEmpty)
        }
    }

    @Test("stays until there are two newer ones; what a killed update left goes")
    func kept() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "noroshi.sqlite").path
            let other = folder.appending(path: "other.sqlite.before-update-20200101T000000Z").path
            try Data("another database's".utf8).write(to: URL(filePath: other))
            for number in 0..<4 {
                for end in ["", "-wal", "-shm"] {
                    try? FileManager.default.removeItem(atPath: path + end)
                }
                try makeEarlier(path, name: "Kissa \(number)")
                let time = moment.addingTimeInterval(Double(number))
                let left = path + ".before-update-2026092\(number)T000000Z.unfinished"
                try Data("half".utf8).write(to: URL(filePath: left))
                try await SQLStore(path: path, now: time).close()
            }
            #expect(
                try copies(folder) == [
                    "noroshi.sqlite.before-update-20260921T141322Z",
                    "noroshi.sqlite.before-update-20260921T141323Z",
                    "other.sqlite.before-update-20200101T000000Z",
                ]
            )
        }
    }

    @Test("is named as the way back when a later version's database is refused")
    func downgrade() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "noroshi.sqlite").path
            try makeEarlier(path, name: "Kissa")
            try await SQLStore(path: path, now: moment).close()
            func problem() -> StoreError? {
                do {
                    _ = try SQLStore(path: path)
                    return nil
                } catch {
                    return error as? StoreError
                }
            }
            #expect(problem() == nil)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { database in
                try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('of tomorrow')")
            }
            try queue.close()
            let refusal = problem()
            #expect(refusal?.code == .unreadable)
            let copy = "noroshi.sqlite.before-update-20260921T141320Z"
            for words in ["newer version", copy, "stored since"] {
                #expect(refusal?.description.contains(words) == true, "\(words): \(refusal as Any)")
            }
            // The way that the words describe.
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.moveItem(atPath: path + end, toPath: path + end + ".away")
            }
            try FileManager.default.moveItem(
                atPath: folder.appending(path: copy).path,
                toPath: path
            )
            #expect(problem() == nil)
        }
    }
}
