import Credentials
import Foundation
import Logging
import Model
import Ports
import Server
import StoreConformance
import StoreSQL
import Testing

@Suite("A backup", .aboutFiles)
struct BackupTests {
    private static let passphrase = "correct horse battery"

    private struct Site {
        let folder: String
        let settings: Settings
        let clock: HandClock

        var backups: String { folder + "/backups" }
        var writer: BackupWriter {
            BackupWriter(
                settings: settings,
                now: { clock.now },
                random: ServerDependencies.live.random
            )
        }

        func server(_ settings: Settings? = nil) throws -> NoroshiServer {
            try NoroshiServer(
                settings: settings ?? self.settings,
                dependencies: clock.dependencies,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }

        func write(keep: Int? = nil) async throws -> BackupFolder {
            try await writer.write(to: backups, passphrase: passphrase, keep: keep)
        }

        /// Where a backup is restored to.
        var other: Settings { Settings(databasePath: folder + "/other/noroshi.sqlite", port: 0) }

        func restore(_ backup: BackupFolder, replaces: Bool = false) async throws -> [String] {
            try await BackupRestorer(settings: other, now: { clock.now })
                .restore(backup, passphrase: passphrase, replaces: replaces)
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-backup-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let time = Date(timeIntervalSince1970: 1_795_000_000)
        try await body(
            Site(
                folder: folder,
                settings: Settings(databasePath: folder + "/noroshi.sqlite", port: 0),
                clock: HandClock(time)
            )
        )
    }

    private func track(_ count: Int, _ store: any Store, _ workspace: WorkspaceID, _ now: Date)
        async throws
    {
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .api,
                    items: (0..<count).map { number in
                        IngestItem(
                            recordID: nil,
                            user: .external("user-\(number)"),
                            time: now,
                            content: .event(name: "visited", properties: EventProperties([:]))
                        )
                    }
                )
            ],
            now: now
        )
    }

    @Test("is the database of one moment with its key: restored, all of it can be read")
    func restored() async throws {
        try await withSite { site in
            let server = try site.server()
            let workspace = try await server.store.createWorkspace(
                name: "Kissa",
                timeZone: "Asia/Tokyo",
                now: site.clock.now
            )
            try await track(50, server.store, workspace, site.clock.now)
            let key = try SecretKey.load(
                path: site.settings.secretKeyPath,
                random: ServerDependencies.live.random
            )
            let vault = BasicCredentialVault(
                store: server.store,
                key: key,
                now: { site.clock.now }
            )
            try await vault.save(
                BasicCredentials(user: "ada", password: "secret-tea"),
                named: "shop",
                by: .commandLine(account: "test", workspace)
            )
            let backup = try await site.write()
            // What comes after it is not in it.
            try await track(70, server.store, workspace, site.clock.now)
            try backup.verify(passphrase: Self.passphrase)
            #expect(backup.manifest.rows["events"] == 50)
            #expect(try await site.restore(backup).isEmpty)
            let restored = try site.server(site.other)
            #expect(try await restored.store.workspaces().map(\.settings.name) == ["Kissa"])
            #expect(
                try await restored.store.userCounts(in: workspace).users == 50
            )
            let otherKey = try SecretKey.load(
                path: site.other.secretKeyPath,
                random: ServerDependencies.live.random
            )
            let found = try await BasicCredentialVault(
                store: restored.store,
                key: otherKey,
                now: { site.clock.now }
            ).credentials(named: "shop", in: workspace)
            #expect(found?.password == "secret-tea")
            #expect(try await restored.store.sendingHold()?.isActive == true)
            // Nothing in the backup tells the key or the password.
            for name in try FileManager.default.contentsOfDirectory(atPath: backup.path) {
                let data = try #require(
                    FileManager.default.contents(atPath: backup.path + "/" + name)
                )
                let secret = try Data(
                    contentsOf: URL(fileURLWithPath: site.settings.secretKeyPath)
                )
                #expect(data.range(of: secret.dropLast()) == nil)
                #expect(data.range(of: Data("secret-tea".utf8)) == nil)
            }
        }
    }

    @Test("that is cut, changed or unfinished is named as such, and a wrong passphrase too")
    func damaged() async throws {
        try await withSite { site in
            _ = try site.server()
            let backup = try await site.write()
            #expect(throws: BackupError.wrongPassphrase) {
                try backup.verify(passphrase: "another passphrase")
            }
            let file = backup.path + "/noroshi.sqlite"
            let bytes = try #require(FileManager.default.contents(atPath: file))
            func problem(_ data: Data) throws -> BackupError? {
                try data.write(to: URL(fileURLWithPath: file))
                do {
                    try backup.verify(passphrase: nil)
                    return nil
                } catch {
                    return error as? BackupError
                }
            }
            #expect(try problem(bytes) == nil)
            #expect(
                try problem(bytes.dropLast(4096))
                    == .damaged(
                        "noroshi.sqlite",
                        "has \(bytes.count - 4096) bytes and was written with \(bytes.count)"
                    )
            )
            var changed = bytes
            changed[bytes.count / 2] ^= 1
            #expect(try problem(changed) == .damaged("noroshi.sqlite", "was changed"))
            #expect(throws: BackupError.self) { try backup.verify(passphrase: nil) }
            await #expect(throws: BackupError.self) { try await site.restore(backup) }
            #expect(!FileManager.default.fileExists(atPath: site.other.database.name))
            try FileManager.default.removeItem(atPath: backup.path + "/backup.json")
            #expect(throws: BackupError.noBackup(backup.path)) {
                try BackupFolder(backup.path)
            }
        }
    }

    @Test("does not overwrite a database that is there, but can move it away")
    func existing() async throws {
        try await withSite { site in
            _ = try site.server()
            let backup = try await site.write()
            _ = try await site.restore(backup)
            await #expect(throws: BackupError.exists(site.other.database.name)) {
                try await site.restore(backup)
            }
            let moved = try await site.restore(backup, replaces: true)
            #expect(moved.count == 1)
            #expect(moved.allSatisfy { FileManager.default.fileExists(atPath: $0) })
            let running = try site.server(site.other)
            await #expect(throws: StoreError.self) {
                try await site.restore(backup, replaces: true)
            }
            withExtendedLifetime(running) {}
        }
    }

    @Test("the newest are kept; what a killed one left goes, and only one is written at a time")
    func keeping() async throws {
        try await withSite { site in
            _ = try site.server()
            var paths: [String] = []
            for _ in 0..<3 {
                paths.append(try await site.write().path)
                site.clock.advance(1)
            }
            let left = site.backups + "/noroshi-20261118T000000Z.unfinished"
            try FileManager.default.createDirectory(
                atPath: left,
                withIntermediateDirectories: false
            )
            #expect(try BackupFolder.all(in: site.backups).map(\.path) == paths.reversed())
            let last = try await site.write(keep: 2)
            #expect(
                try BackupFolder.all(in: site.backups).map(\.path) == [last.path, paths[2]]
            )
            #expect(!FileManager.default.fileExists(atPath: left))
            await #expect(throws: BackupError.shortPassphrase(12)) {
                try await site.writer.write(to: site.backups, passphrase: "short")
            }
        }
    }

    @Test("comes by itself when the newest one is old enough, and again after a failure")
    func schedule() async throws {
        try await withSite { site in
            let server = try site.server()
            _ = server
            var settings = BackupSettings(
                place: .folder(site.backups),
                passphrase: Self.passphrase
            )
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
            #expect(first.newest == nil)
            await first.writeIfDue()
            await first.writeIfDue()
            #expect(try BackupFolder.all(in: site.backups).count == 1)
            #expect(first.newest == site.clock.now)
            // A restart changes nothing of what is due.
            site.clock.advance(6 * 3600 - 1)
            await schedule().writeIfDue()
            #expect(try BackupFolder.all(in: site.backups).count == 1)
            site.clock.advance(1)
            await schedule().writeIfDue()
            #expect(try BackupFolder.all(in: site.backups).count == 2)
            for _ in 0..<2 {
                site.clock.advance(6 * 3600)
                await schedule().writeIfDue()
            }
            #expect(try BackupFolder.all(in: site.backups).count == 2)

            // A folder that cannot be one, for a while.
            let away = site.backups + "-away"
            try FileManager.default.moveItem(atPath: site.backups, toPath: away)
            try Data().write(to: URL(filePath: site.backups))
            await first.writeIfDue()
            #expect(first.failures == 1)
            site.clock.advance(60)
            await first.writeIfDue()
            #expect(first.failures == 1)
            try FileManager.default.removeItem(atPath: site.backups)
            site.clock.advance(15 * 60)
            await first.writeIfDue()
            #expect(first.failures == 1)
            #expect(first.newest == site.clock.now)
        }
    }
}
