import Foundation
import GRDB
import Model
import NoroshiWire
import Ports
import Reasons
import StoreConformance
import StoreSQL
import Testing

@Suite("Opening the SQLite store")
struct OpeningTests {
    private struct Site {
        let folder: URL

        var path: String { folder.appending(path: "test.sqlite").path }

        func mode(_ name: String) throws -> Int {
            let facts = try FileManager.default.attributesOfItem(
                atPath: folder.appending(path: name).path
            )
            return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-opening-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(Site(folder: folder))
    }

    private let server = DatabaseClaim.Holder(
        purpose: .server,
        process: 4711,
        host: "beacon",
        since: Date(timeIntervalSince1970: 1_790_000_000)
    )

    private func problem(_ work: () throws -> Void) -> StoreError? {
        do {
            try work()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test("its files are for their owner alone, also those that were not")
    func modes() async throws {
        try await withSite { site in
            _ = FileManager.default.createFile(
                atPath: site.path,
                contents: nil,
                attributes: [.posixPermissions: 0o644]
            )
            let store = try SQLStore(path: site.path)
            _ = try await StoreConformance(store).fixture()
            for name in ["test.sqlite", "test.sqlite-wal", "test.sqlite-shm"] {
                #expect(try site.mode(name) == 0o600, "\(name)")
            }
            let other = try DatabaseClaim.take(path: site.path, for: server)
            #expect(try site.mode("test.sqlite.lock") == 0o600)
            other.release()
        }
    }

    @Test("of a user who was deleted its file has nothing left, not even in room that is free")
    func overwritten() async throws {
        try await withSite { site in
            func hasSecrets() throws -> Bool {
                let file = try Data(contentsOf: URL(filePath: site.path))
                return file.firstRange(of: Data("a secret of".utf8)) != nil
            }
            var store = try SQLStore(path: site.path)
            var conformance = StoreConformance(store)
            let workspace = try await conformance.fixture().workspace
            let items = (0..<2_000).map { number in
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: conformance.now,
                    content: .event(
                        name: "view",
                        properties: ["text": .string("a secret of \(number)")]
                    )
                )
            }
            _ = try await conformance.ingest(items, in: workspace)
            try await store.close()
            #expect(try hasSecrets())
            store = try SQLStore(path: site.path)
            conformance = StoreConformance(store)
            let ada = try #require(
                try await store.profile(.external("ada"), in: workspace)
            )
            let deleted = try await store.deleteUsers(
                [ada.id],
                in: workspace,
                noting: nil,
                now: conformance.now
            )
            #expect(deleted == 1)
            try await store.close()
            #expect(try !hasSecrets())
        }
    }

    @Test("a second claim names who has the first, by whatever path it comes")
    func claims() async throws {
        try await withSite { site in
            let first = try DatabaseClaim.take(path: site.path, for: server)
            first.announce(address: "127.0.0.1:8080")
            let link = site.folder.appending(path: "link.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: site.path
            )
            let crooked =
                site.folder.path + "/../" + site.folder.lastPathComponent
                + "/./test.sqlite"
            for path in [site.path, link, crooked] {
                let problem = problem {
                    _ = try DatabaseClaim.take(path: path, for: server, patience: .zero)
                }
                #expect(problem?.code == .taken)
                for word in ["4711", "beacon", "127.0.0.1:8080", "2026-09-21T"] {
                    #expect(
                        problem?.description.contains(word) == true,
                        "\(word): \(problem as Any)"
                    )
                }
            }
            #expect(try DatabaseClaim.holder(path: link)?.process == 4711)
            first.release()
            #expect(try DatabaseClaim.holder(path: link) == nil)
            try DatabaseClaim.take(path: link, for: server).release()
        }
    }

    @Test("a holder is this process on this machine")
    func current() {
        let since = Date(timeIntervalSince1970: 1_790_000_000)
        let holder = DatabaseClaim.Holder.current(.command, since: since)
        #expect(holder.process == ProcessInfo.processInfo.processIdentifier)
        #expect(holder.since == since)
        // The name of a machine, not the words for one that has none.
        #expect(!holder.host.isEmpty && !holder.host.contains(" "))
    }

    @Test("a file with a second name is refused, because each name would have a log of its own")
    func hardLinks() async throws {
        try await withSite { site in
            try await SQLStore(path: site.path).close()
            let other = site.folder.appending(path: "other.sqlite").path
            try FileManager.default.linkItem(atPath: site.path, toPath: other)
            let problem = problem { _ = try SQLStore(path: other) }
            #expect(problem?.description.contains("hard links") == true)
        }
    }

    @Test("a link to a file that is not there yet is where the file is made")
    func linkToNothing() async throws {
        try await withSite { site in
            let link = site.folder.appending(path: "link.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: site.path
            )
            try await SQLStore(path: link).close()
            #expect(try site.mode("test.sqlite") == 0o600)
            // Nothing can be made behind a link into what is no folder.
            let nowhere = site.folder.appending(path: "nowhere.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: nowhere,
                withDestinationPath: site.path + "/test.sqlite"
            )
            #expect(problem { _ = try SQLStore(path: nowhere) }?.code == .unavailable)
        }
    }

    @Test("commands work beside a server, but change no schema under it")
    func besideAServer() async throws {
        try await withSite { site in
            let claim = try DatabaseClaim.take(path: site.path, for: server)
            let problem = problem { _ = try SQLStore(path: site.path) }
            #expect(problem?.code == .taken)
            #expect(problem?.description.contains("4711") == true)
            let store = try SQLStore(path: site.path, isClaimed: true)
            let beside = try SQLStore(path: site.path)
            #expect(try await beside.workspaces().isEmpty)
            _ = (claim, store)
        }
    }

    @Test("what another process did to identities is known before the next event is stored")
    func foreignIdentities() async throws {
        try await withSite { site in
            let store = try SQLStore(path: site.path)
            let conformance = StoreConformance(store)
            let fixture = try await conformance.fixture()
            let event = IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: conformance.now,
                content: .event(name: "viewed", properties: [:])
            )
            _ = try await conformance.ingest([event], in: fixture.workspace)
            let first = try #require(
                try await store.profile(.external("ada"), in: fixture.workspace)
            )
            let other = try SQLStore(path: site.path)
            _ = try await other.deleteUsers(
                [first.id],
                in: fixture.workspace,
                noting: nil,
                now: conformance.now
            )
            var again = event
            again.recordID = UUID()
            _ = try await conformance.ingest([again], in: fixture.workspace)
            let second = try #require(
                try await store.profile(.external("ada"), in: fixture.workspace)
            )
            #expect(second.id != first.id)
            #expect(try await store.events(of: second.id, limit: 10).count == 1)
        }
    }

    @Test("users whom two processes merge into one at once lose nothing on the way")
    func foreignMerges() async throws {
        try await withSite { site in
            let stores = [try SQLStore(path: site.path), try SQLStore(path: site.path)]
            let conformance = StoreConformance(stores[0])
            let workspace = try await conformance.fixture().workspace
            let names = (0..<12).map { "user-\($0)" }
            let items = (["ada"] + names).map { name in
                IngestItem(
                    recordID: UUID(),
                    user: .external(name),
                    time: conformance.now,
                    content: .event(name: "viewed", properties: [:])
                )
            }
            _ = try await conformance.ingest(items, in: workspace)
            let now = conformance.now
            try await withThrowingTaskGroup(of: [IdentityOutcome].self) { group in
                for (number, name) in names.enumerated() {
                    group.addTask {
                        try await stores[number % 2].apply(
                            [.merge(.external(name), into: .external("ada"))],
                            in: workspace,
                            now: now
                        )
                    }
                }
                for try await outcome in group { #expect(outcome == [.done]) }
            }
            for store in stores {
                let ada = try #require(try await store.profile(.external("ada"), in: workspace))
                #expect(try await store.events(of: ada.id, limit: 100).count == 13)
                for name in names {
                    #expect(try await store.profile(.external(name), in: workspace) == nil)
                }
                #expect(try await DatabaseDoctor(store).examine().isHealthy)
            }
        }
    }

    @Test("a locked database says so, and is well again when the lock is gone")
    func locks() async throws {
        try await withSite { site in
            let store = try SQLStore(path: site.path, lockPatience: .milliseconds(50))
            _ = try await StoreConformance(store).fixture()
            #expect(store.trouble == nil)
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: site.path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            await #expect(throws: StoreError.self) {
                _ = try await store.createWorkspace(name: "x", timeZone: "UTC", now: Date())
            }
            #expect(store.trouble?.reason.description.contains("locked") == true)
            #expect(store.trouble?.isLasting == false)
            // Reading goes on.
            #expect(try await store.workspaces().count == 1)
            try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            #expect(await store.probe() == nil)
            #expect(store.trouble == nil)
        }
    }

    @Test("what is no database says what to do")
    func damage() async throws {
        try await withSite { site in
            try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: site.path))
            let problem = problem { _ = try SQLStore(path: site.path) }
            #expect(problem?.description.contains("damaged") == true)
            #expect(problem?.description.contains("restore a backup") == true)
        }
    }

    @Test("a page that is damaged later keeps the store from counting as well")
    func laterDamage() async throws {
        try await withSite { site in
            do {
                let store = try SQLStore(path: site.path)
                _ = try await StoreConformance(store).fixture()
                try await store.close()
            }
            let reader = try DatabaseQueue(path: site.path)
            let page = try await reader.read {
                try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'apps'")
            }
            try reader.close()
            let file = try FileHandle(forUpdating: URL(filePath: site.path))
            try file.seek(toOffset: UInt64(try #require(page) - 1) * 4096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
            try file.close()
            let store = try SQLStore(path: site.path)
            await #expect(throws: StoreError.self) {
                _ = try await store.app(sdkKey: "any")
                _ = try await store.apps(in: WorkspaceID(1))
            }
            #expect(store.trouble?.isLasting == true)
            #expect(await store.probe()?.reason.description.contains("restore a backup") == true)
        }
    }
}
