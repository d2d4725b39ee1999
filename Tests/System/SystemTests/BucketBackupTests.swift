import BucketTesting
import Foundation
import Logging
import Model
import ObjectStorage
import Ports
import Server
import StoreConformance
import StoreSQL
import Synchronization
import Testing

@Suite("A backup in a bucket", .aboutFiles)
struct BucketBackupTests {
    private static let passphrase = "correct horse battery"
    private static let secret = "a secret/of+the tests"

    private struct Site: Sendable {
        let folder: String
        let settings: Settings
        let clock: HandClock
        let store: BucketServer

        func place(_ name: String = "") throws -> BackupPlace {
            .bucket(
                BackupBucket(
                    address: try BucketAddress("s3://tea/house" + name),
                    access: BucketAccess(
                        endpoint: try BucketEndpoint(url: store.url, region: "eu-test-1"),
                        credentials: BucketCredentials(keyID: "AKIDTEST", secret: secret)
                    ),
                    partSize: 1 << 18
                )
            )
        }

        var writer: BackupWriter {
            BackupWriter(
                settings: settings,
                now: { clock.now },
                random: ServerDependencies.live.random
            )
        }

        func write(keep: Int? = nil) async throws -> StoredBackup {
            try await writer.write(to: try place(), passphrase: passphrase, keep: keep)
        }

        func list() async throws -> [String] {
            try await place().all(now: { clock.now }).map(\.address)
        }

        func verify(_ name: String, passphrase: String? = passphrase) async throws {
            try await place(name).withBackup(
                downloads: folder + "/downloads",
                passphrase: passphrase,
                now: { clock.now }
            ) { try $0.verify(passphrase: passphrase) }
        }

        func problem(_ name: String, passphrase: String = passphrase) async -> BackupError? {
            do {
                try await verify(name, passphrase: passphrase)
                return nil
            } catch {
                return error as? BackupError
            }
        }

        /// The files beside the database that a backup may leave.
        func leftFiles() throws -> [String] {
            try FileManager.default.contentsOfDirectory(
                atPath: settings.database.name + ".upload"
            ).filter { $0 != ".lock" }
        }

        func server(_ settings: Settings? = nil) throws -> NoroshiServer {
            try NoroshiServer(
                settings: settings ?? self.settings,
                dependencies: clock.dependencies,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-bucket-backup-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = HandClock(Date(timeIntervalSince1970: 1_795_000_000))
        var settings = BucketServer.Settings(now: { clock.now })
        settings.secret = Self.secret
        settings.leastPart = 1 << 18
        let store = try await BucketServer.start(settings)
        let site = Site(
            folder: folder,
            settings: Settings(databasePath: folder + "/noroshi.sqlite", port: 0),
            clock: clock,
            store: store
        )
        do {
            try await body(site)
        } catch {
            await store.stop()
            throw error
        }
        await store.stop()
    }

    @Test("is listed, verified and restored as one in a folder is")
    func round() async throws {
        try await withSite { site in
            let server = try site.server()
            _ = try await server.store.createWorkspace(
                name: "Kissa",
                timeZone: "Asia/Tokyo",
                now: site.clock.now
            )
            let backup = try await site.write()
            #expect(backup.address == "s3://tea/house/noroshi-20261118T110640Z")
            let second = try await site.write()
            #expect(second.address == "s3://tea/house/noroshi-20261118T110640Z-2")
            #expect(try await site.list() == [second.address, backup.address])
            #expect(try site.leftFiles().isEmpty)
            try await site.verify("/noroshi-20261118T110640Z")
            #expect(!FileManager.default.fileExists(atPath: site.folder + "/downloads"))
            // The database went in parts, and nothing tells the store's own secret.
            #expect(site.store.requests.contains { $0.query("partNumber") == "2" })
            for (key, data) in site.store.objects {
                #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(key)")
            }

            let other = Settings(databasePath: site.folder + "/other/noroshi.sqlite", port: 0)
            let restorer = BackupRestorer(settings: other, now: { site.clock.now })
            let (moved, manifest) = try await restorer.restore(
                from: try site.place("/noroshi-20261118T110640Z"),
                passphrase: Self.passphrase,
                replaces: false
            )
            #expect(moved.isEmpty)
            #expect(manifest == backup.manifest)
            let files = try FileManager.default.contentsOfDirectory(atPath: site.folder + "/other")
            #expect(Set(files).isSubset(of: ["noroshi.sqlite", "noroshi.sqlite.key"]), "\(files)")
            let restored = try site.server(other)
            #expect(try await restored.store.workspaces().map(\.settings.name) == ["Kissa"])
            #expect(try await restored.store.sendingHold()?.isActive == true)
            let before = site.store.requests.count
            await #expect(throws: BackupError.exists(other.database.name)) {
                try await restorer.restore(
                    from: try site.place("/noroshi-20261118T110640Z"),
                    passphrase: Self.passphrase,
                    replaces: false
                )
            }
            #expect(site.store.requests.count == before)
        }
    }

    @Test("counts when all of it is there, wherever its upload ended, and leaves nothing behind")
    func cut() async throws {
        try await withSite { site in
            _ = try site.server()
            let whole = try await site.write()
            let steps = site.store.requests.count
            #expect(steps > 6)
            var finished = [whole.address]
            for step in 1...steps {
                site.clock.advance(1)
                let asked = Mutex(0)
                // From this request on the store hears nothing, as of a process that is gone.
                site.store.onRequest { _ in
                    asked.withLock { asked in
                        asked += 1
                        return asked >= step ? .answer(403, "AccessDenied") : nil
                    }
                }
                await #expect(throws: BucketError.self) { try await site.write() }
                #expect(try site.leftFiles().isEmpty)
                site.store.onRequest { _ in nil }
                #expect(try await site.list() == finished)
                site.clock.advance(1)
                finished.insert(try await site.write().address, at: 0)
                #expect(try await site.list() == finished)
                #expect(site.store.openUploads.isEmpty)
                #expect(site.store.objects.count == 3 * finished.count)
            }
        }
    }

    @Test("is removed when it is too old, and nothing else in the bucket is")
    func keeping() async throws {
        try await withSite { site in
            _ = try site.server()
            let others = [
                "house", "house/notes", "house/noroshi-notes",
                "house/noroshi-20261118T000000Z/more",
                "noroshi-20261118T000000Z/noroshi.sqlite", "house/noroshi-old/noroshi.sqlite",
                "house/sub/noroshi-20261118T000000Z/noroshi.sqlite",
                "house2/noroshi-20261118T000000Z/key.sealed",
            ]
            for key in others { site.store.set(Data("mine".utf8), at: key) }
            var written: [String] = []
            for _ in 0..<4 {
                written.insert(try await site.write(keep: 2).address, at: 0)
                site.clock.advance(1)
            }
            #expect(try await site.list() == Array(written.prefix(2)))
            for key in others { #expect(site.store.objects[key] != nil, "\(key)") }
            #expect(site.store.objects.count == others.count + 6)
        }
    }

    @Test("that is cut, changed or missing a part is named as such, and a wrong passphrase too")
    func damaged() async throws {
        try await withSite { site in
            _ = try site.server()
            _ = try await site.write()
            let name = "/noroshi-20261118T110640Z"
            let before = site.store.requests.count
            #expect(
                await site.problem(name, passphrase: "another passphrase") == .wrongPassphrase
            )
            // The database was not downloaded for it.
            #expect(
                !site.store.requests.dropFirst(before).contains { $0.uri.contains("sqlite") }
            )
            #expect(await site.problem(name) == nil)
            let database = "house\(name)/noroshi.sqlite"
            let bytes = try #require(site.store.objects[database])
            site.store.set(bytes.dropLast(1), at: database)
            #expect(
                await site.problem(name)
                    == .damaged(
                        "noroshi.sqlite",
                        "has \(bytes.count - 1) bytes and was written with \(bytes.count)"
                    )
            )
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            site.store.set(changed, at: database)
            #expect(await site.problem(name) == .damaged("noroshi.sqlite", "was changed"))
            site.store.set(nil, at: database)
            #expect(await site.problem(name) == .damaged("noroshi.sqlite", "is missing"))
            site.store.set(bytes, at: database)
            site.store.set(Data("{}".utf8), at: "house\(name)/backup.json")
            #expect(await site.problem(name) == .damaged("backup.json", "cannot be read"))
            #expect(try await site.list().isEmpty)
            site.store.set(nil, at: "house\(name)/backup.json")
            #expect(await site.problem(name) == .noBackup("s3://tea/house\(name)"))
            #expect(
                await site.problem(name)?.description
                    == "s3://tea/house\(name) holds no finished backup: "
                    + "there is no backup.json in it"
            )
        }
    }

    @Test("whose manifest names files elsewhere is not followed there")
    func elsewhere() async throws {
        try await withSite { site in
            _ = try site.server()
            _ = try await site.write()
            let name = "/noroshi-20261118T110640Z"
            let key = "house\(name)/backup.json"
            let text = String(decoding: try #require(site.store.objects[key]), as: UTF8.self)
            site.store.set(
                Data(text.replacing("\"key.sealed\"", with: "\"../../key\"").utf8),
                at: key
            )
            #expect(
                await site.problem(name)
                    == .damaged("backup.json", "does not name the files of a backup")
            )
        }
    }

    @Test("comes by itself when it is due; the bucket is asked at the start and then only")
    func schedule() async throws {
        try await withSite { site in
            _ = try site.server()
            var settings = BackupSettings(place: try site.place(), passphrase: Self.passphrase)
            settings.hours = 6
            settings.keep = 2
            func schedule() -> BackupSchedule {
                BackupSchedule(
                    settings: settings,
                    writer: site.writer,
                    now: { site.clock.now },
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                )
            }
            let first = schedule()
            await first.writeIfDue()
            #expect(first.newest == site.clock.now)
            #expect(try await site.list().count == 1)
            let before = site.store.requests.count
            site.clock.advance(6 * 3600 - 1)
            await first.writeIfDue()
            #expect(site.store.requests.count == before)
            // A restart changes nothing of what is due.
            let second = schedule()
            await second.writeIfDue()
            #expect(second.newest == first.newest)
            #expect(try await site.list().count == 1)
            site.clock.advance(1)
            site.store.onRequest { _ in .answer(403, "AccessDenied") }
            await second.writeIfDue()
            await second.writeIfDue()
            #expect(second.failures == 1)
            site.store.onRequest { _ in nil }
            site.clock.advance(15 * 60)
            await second.writeIfDue()
            #expect(second.failures == 1)
            #expect(second.newest == site.clock.now)
            #expect(try await site.list().count == 2)
        }
    }
}
