import Foundation
import GRDB
import Testing

@testable import Relational

@Suite("Copying of the write-ahead log")
struct CheckpointerTests {
    private static let pages = 64

    /// A connection that writes, and whose log is copied.
    private final class Writer {
        let pool: GRDB.DatabasePool
        let checkpointer: Checkpointer
        private let folder: URL
        private let ownsFolder: Bool

        convenience init() throws {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "noroshi-checkpointer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try self.init(folder, ownsFolder: true)
            try pool.write { database in
                try database.execute(sql: "CREATE TABLE lines (id INTEGER PRIMARY KEY, text TEXT)")
            }
            try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }

        private init(_ folder: URL, ownsFolder: Bool) throws {
            self.folder = folder
            self.ownsFolder = ownsFolder
            let path = folder.appending(path: "log.sqlite").path
            let checkpointer = Checkpointer(
                path: path,
                durability: "normal",
                pages: CheckpointerTests.pages
            )
            self.checkpointer = checkpointer
            var configuration = Configuration()
            configuration.busyMode = .timeout(60)
            configuration.prepareDatabase { database in
                if !database.configuration.readonly { checkpointer.follow(database) }
            }
            pool = try DatabasePool(path: path, configuration: configuration)
        }

        /// On the same file.
        func another() throws -> Writer { try Writer(folder, ownsFolder: false) }

        deinit { if ownsFolder { try? FileManager.default.removeItem(at: folder) } }

        /// Commits so many transactions.
        func write(_ count: Int) throws {
            for _ in 0..<count {
                try pool.write { database in
                    try database.execute(
                        sql: "INSERT INTO lines (text) VALUES (hex(randomblob(500)))"
                    )
                }
            }
        }

        /// In pages; copies what it can, once nobody else copies.
        func length() throws -> Int {
            while true {
                do {
                    return try pool.writeWithoutTransaction {
                        try $0.checkpoint(.passive).walFrameCount
                    }
                } catch DatabaseError.SQLITE_BUSY {}
            }
        }

        /// How many lines the file has without its log.
        func linesOfFile() throws -> Int? {
            let copy = folder.appending(path: "\(UUID().uuidString).sqlite").path
            try FileManager.default.copyItem(atPath: pool.path, toPath: copy)
            return try DatabaseQueue(path: copy).read { database in
                try Int.fetchOne(database, sql: "SELECT count(*) FROM lines")
            }
        }
    }

    @Test("a log begins anew while its writer goes on, and all of it is in the file")
    func beginsAnew() throws {
        let writer = try Writer()
        try writer.write(3_000)
        let bytes =
            try FileManager.default.attributesOfItem(atPath: writer.pool.path + "-wal")[.size]
            as? Int
        // The writer waits from four times the length on; a page has a heading of 24 bytes.
        #expect(try #require(bytes) < Self.pages * 5 * (4_096 + 24))
        // It ends what it is about to copy.
        try writer.checkpointer.close()
        #expect(try #require(try writer.linesOfFile()) > 2_000)
        try writer.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try writer.linesOfFile() == 3_000)
    }

    @Test("who reads keeps what was there, and the log begins anew afterwards")
    func reader() throws {
        let writer = try Writer()
        try writer.write(10)
        let snapshot = try writer.pool.makeSnapshot()
        try writer.write(1_000)
        let seen = try snapshot.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM lines")
        }
        #expect(seen == 10)
        #expect(try writer.length() > Self.pages * 4)
        try snapshot.close()
        try writer.write(1_000)
        #expect(try writer.length() < Self.pages * 5)
        try writer.checkpointer.close()
        try writer.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try writer.linesOfFile() == 2_010)
    }

    @Test("one that is closed leaves the log as it is")
    func closed() throws {
        let writer = try Writer()
        try writer.checkpointer.close()
        try writer.write(1_000)
        try writer.checkpointer.close()
        #expect(try #require(try writer.linesOfFile()) == 0)
        #expect(try writer.length() > Self.pages * 4)
    }

    @Test("two servers that write by turns into one file copy all of its log")
    func two() throws {
        let writer = try Writer()
        let other = try writer.another()
        for _ in 0..<30 {
            try writer.write(50)
            try other.write(50)
        }
        for one in [writer, other] { try one.checkpointer.close() }
        try writer.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try writer.linesOfFile() == 3_000)
    }

    @Test("a log is copied once at a time, and its writer waits only where it is very long")
    func turns() {
        let checkpointer = Checkpointer(path: "/nowhere", durability: "normal", pages: 100)
        #expect(checkpointer.turn(99) == .goOn)
        #expect(checkpointer.turn(100) == .start)
        #expect(checkpointer.turn(200) == .goOn)
        #expect(checkpointer.turn(400) == .wait)
        #expect(checkpointer.turn(50) == .goOn)
    }

    @Test("where it cannot be opened again the writer copies itself")
    func missing() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-checkpointer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let checkpointer = Checkpointer(path: "/nowhere/it.sqlite", durability: "off", pages: 20)
        var configuration = Configuration()
        configuration.prepareDatabase { checkpointer.follow($0) }
        let path = folder.appending(path: "log.sqlite").path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "CREATE TABLE lines (text TEXT)")
            for _ in 0..<200 {
                try database.execute(sql: "INSERT INTO lines VALUES (hex(randomblob(2000)))")
            }
        }
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect(try #require(size) < 40 * (4_096 + 24))
    }
}
