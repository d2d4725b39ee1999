import Foundation
import Model
import NoroshiWire
import StoreSQLite

/// Writes backups of a database that a server may be using: as it is at one moment, without keeping
/// the server from writing.
package struct BackupWriter: Sendable {
    static let prefix = "noroshi-"
    static let unfinished = ".unfinished"

    private let settings: Settings
    private let now: @Sendable () -> Date
    private let random: @Sendable (Int) -> [UInt8]

    package init(
        settings: Settings,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.settings = settings
        self.now = now
        self.random = random
    }

    /// Writes a backup into a folder of its own, which gets its name when all of it is on the disk.
    ///
    /// - Parameters:
    ///   - folder: Holds the backups; made if it is missing.
    ///   - keep: The number of finished backups to keep, this one included; `nil` for all.
    /// - Throws: `BackupProblem`, or `StoreError` if the database cannot be read.
    package func write(
        to folder: String,
        passphrase: String,
        keep: Int? = nil
    ) async throws -> BackupFolder {
        guard passphrase.count >= SealedKey.shortestPassphrase else {
            throw BackupProblem.shortPassphrase(SealedKey.shortestPassphrase)
        }
        try BackupFiles.makeFolder(folder)
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        // Left by a process that was killed.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.unfinished) {
            try BackupFiles.remove(folder + "/" + name)
        }
        let path = folder + "/" + name(in: folder)
        let draft = path + Self.unfinished
        do {
            try await fill(draft, passphrase)
            try BackupFiles.move(draft, to: path)
        } catch {
            try? BackupFiles.remove(draft)
            throw error
        }
        let backup = try BackupFolder(path)
        if let keep {
            for old in try BackupFolder.all(in: folder).dropFirst(max(1, keep)) {
                try BackupFiles.remove(old.path)
            }
        }
        return backup
    }

    /// By the second; a second backup in it gets a number.
    private func name(in folder: String) -> String {
        let time = now().formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        var name = Self.prefix + time
        var number = 1
        while FileManager.default.fileExists(atPath: folder + "/" + name) {
            number += 1
            name = Self.prefix + time + "-\(number)"
        }
        return name
    }

    private func fill(_ draft: String, _ passphrase: String) async throws {
        let secret = try SecretKey.text(path: settings.secretKeyPath)
        try BackupFiles.makeFolder(draft)
        let createdAt = now()
        let database = draft + "/" + BackupFolder.databaseFile
        let store = try SQLiteStore(
            path: settings.databasePath,
            synchronous: settings.synchronous
        )
        try await store.copy(to: database)
        let copy = CopiedDatabase(path: database)
        try copy.settle()
        try BackupFiles.synchronize(database)
        let (damage, rows) = try copy.examine()
        if let first = damage.first {
            throw BackupProblem.unusable(settings.databasePath, "it is damaged: \(first)")
        }
        let sealed = try SealedKey(secret, passphrase: passphrase, random: random)
        let key = draft + "/" + BackupFolder.keyFile
        try BackupFiles.write(BackupManifest.encoder.encode(sealed), to: key)
        let manifest = BackupManifest(
            format: BackupManifest.currentFormat,
            version: NoroshiVersion.current,
            createdAt: createdAt,
            files: [
                BackupFolder.databaseFile: try BackupFiles.digest(database),
                BackupFolder.keyFile: try BackupFiles.digest(key),
            ],
            rows: rows
        )
        try BackupFiles.write(
            BackupManifest.encoder.encode(manifest),
            to: draft + "/" + BackupFolder.manifestFile
        )
        try BackupFiles.synchronize(draft)
    }
}
