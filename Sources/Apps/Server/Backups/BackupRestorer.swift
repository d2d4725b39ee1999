import Foundation
import Model
import StoreSQL

/// Makes a database from a backup. The server that is started on it sends nothing until its hold is
/// ended: the server from which the backup is may still be running, and has gone on since.
package struct BackupRestorer: Sendable {
    private static let unfinished = ".restoring"
    /// What is added to the database's name for the folder of what comes out of a bucket.
    private static let download = ".download"

    private let settings: Settings
    private let now: @Sendable () -> Date

    /// - Parameter settings: Name the database and the secret key file to make.
    package init(settings: Settings, now: @escaping @Sendable () -> Date) {
        self.settings = settings
        self.now = now
    }

    /// Restores a backup from where it is; that of a bucket is downloaded beside the database first.
    ///
    /// - Returns: As below, and what was restored.
    package func restore(
        from place: BackupPlace,
        passphrase: String,
        replaces: Bool
    ) async throws -> (moved: [String], manifest: BackupManifest) {
        let target = try settings.databaseFile(.noFileToRestore)
        if !place.isLocal {
            // Said before much is downloaded.
            try makeFolder(of: target)
            guard replaces || !FileManager.default.fileExists(atPath: target) else {
                throw BackupError.exists(target)
            }
        }
        return try await place.withBackup(
            downloads: target + Self.download,
            passphrase: passphrase,
            now: now
        ) { backup in
            let moved = try await restore(
                backup,
                passphrase: passphrase,
                replaces: replaces,
                usesUp: !place.isLocal
            )
            return (moved, backup.manifest)
        }
    }

    /// Verifies the backup and restores it.
    ///
    /// - Parameters:
    ///   - replaces: Moves what is there away, instead of refusing.
    ///   - usesUp: Takes the backup's file instead of copying it, which needs half the room.
    /// - Returns: Where the former files are now, if there were any.
    /// - Throws: `BackupError`; `StoreError` with code `taken` while a server uses the database.
    package func restore(
        _ backup: BackupFolder,
        passphrase: String,
        replaces: Bool,
        usesUp: Bool = false
    ) async throws -> [String] {
        let target = try settings.databaseFile(.noFileToRestore)
        let secret = try backup.key(passphrase: passphrase)
        try backup.verify(passphrase: nil)
        try makeFolder(of: target)
        let existing = [target, target + "-wal", target + "-shm", settings.secretKeyPath].filter {
            FileManager.default.fileExists(atPath: $0) && !isSame($0, secret)
        }
        if !replaces, let first = existing.first { throw BackupError.exists(first) }
        // The database is prepared under another name, and gets its own with its last step.
        let draft = target + Self.unfinished
        for file in [draft, draft + "-wal", draft + "-shm"] { try BackupFiles.remove(file) }
        do {
            if usesUp {
                try FileManager.default.moveItem(atPath: backup.database, toPath: draft)
            } else {
                try FileManager.default.copyItem(atPath: backup.database, toPath: draft)
            }
        } catch {
            try? BackupFiles.remove(draft)
            throw BackupError.unusable(draft, error.localizedDescription)
        }
        let store = try SQLStore(
            path: draft,
            synchronous: .full,
            copiesBeforeUpdate: false
        )
        try await store.holdSending(since: now())
        try await store.skipFactNumbers()
        try await store.close()
        try CopiedDatabase(path: draft).settle()
        try BackupFiles.synchronize(draft)
        try BackupFiles.remove(draft + ".lock")

        let claim = existing.contains(target) ? try claim(target) : nil
        defer { claim?.release() }
        let stamp =
            ".before-restore-"
            + now().formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        var moved: [String] = []
        for file in existing {
            try BackupFiles.move(file, to: file + stamp)
            moved.append(file + stamp)
        }
        if !FileManager.default.fileExists(atPath: settings.secretKeyPath) {
            try BackupFiles.write(secret, to: settings.secretKeyPath)
        }
        try BackupFiles.move(draft, to: target)
        return moved
    }

    private func makeFolder(of target: String) throws {
        let folder = (target as NSString).deletingLastPathComponent
        if !folder.isEmpty { try BackupFiles.makeFolder(folder) }
    }

    /// Whether it is the secret key of the backup, as after a restore that was interrupted.
    private func isSame(_ file: String, _ secret: Data) -> Bool {
        file == settings.secretKeyPath && FileManager.default.contents(atPath: file) == secret
    }

    private func claim(_ target: String) throws -> DatabaseClaim {
        try DatabaseClaim.take(path: target, for: .current(.command, since: now()))
    }
}
