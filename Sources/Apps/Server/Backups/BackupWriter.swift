import Foundation
import Model
import NoroshiWire
import StoreSQL

/// Writes backups of a database that a server may be using: as it is at one moment, without keeping
/// the server from writing.
package struct BackupWriter: Sendable {
    static let prefix = "noroshi-"
    static let unfinished = ".unfinished"
    /// What is added to the database's name for the folder of what goes into a bucket.
    static let upload = ".upload"

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

    /// Writes a backup, which is one when all of it is where it belongs.
    ///
    /// - Parameters:
    ///   - place: Holds the backups of this server and no other's; a folder is made if it is missing.
    ///   - keep: The number of finished backups to keep, this one included; `nil` for all.
    /// - Throws: `BackupError`, `BucketError`, or `StoreError` if the database cannot be read.
    package func write(
        to place: BackupPlace,
        passphrase: String,
        keep: Int? = nil
    ) async throws -> StoredBackup {
        switch place {
        case .folder(let folder):
            StoredBackup(try await write(to: folder, passphrase: passphrase, keep: keep))
        case .bucket(let bucket):
            try await write(to: bucket, passphrase: passphrase, keep: keep)
        }
    }

    /// Writes a backup into a folder of its own, which gets its name when all of it is on the disk.
    package func write(
        to folder: String,
        passphrase: String,
        keep: Int? = nil
    ) async throws -> BackupFolder {
        let lock = try enter(folder, passphrase)
        defer { withExtendedLifetime(lock) {} }
        let path =
            folder + "/" + name { FileManager.default.fileExists(atPath: folder + "/" + $0) }
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

    /// Writes a backup beside the database, and from there into a bucket.
    private func write(
        to bucket: BackupBucket,
        passphrase: String,
        keep: Int?
    ) async throws -> StoredBackup {
        let folder = try settings.databaseFile() + Self.upload
        let lock = try enter(folder, passphrase)
        defer { withExtendedLifetime(lock) {} }
        return try await bucket.open(now: now) { bucket in
            // What is wrong with the bucket is said before the work of a copy.
            let before = try await bucket.contents()
            try await bucket.removeLeftovers(before)
            let name = name { before[$0] != nil }
            let draft = folder + "/" + name + Self.unfinished
            defer { try? BackupFiles.remove(draft) }
            try await fill(draft, passphrase)
            let backup = try await bucket.upload(draft, as: name)
            if let keep {
                let finished = ([name] + OpenBackupBucket.finished(before)).sorted(by: >)
                for old in finished.dropFirst(max(1, keep)) {
                    try await bucket.remove(old, before[old] ?? [:])
                }
            }
            return backup
        }
    }

    /// Makes a folder ready for a backup, and keeps others out of it.
    private func enter(_ folder: String, _ passphrase: String) throws -> FolderLock {
        guard passphrase.count >= SealedKey.shortestPassphrase else {
            throw BackupError.shortPassphrase(SealedKey.shortestPassphrase)
        }
        try BackupFiles.makeFolder(folder)
        let lock = try FolderLock(folder)
        // Left by a process that was killed.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(Self.prefix) && name.hasSuffix(Self.unfinished) {
            try BackupFiles.remove(folder + "/" + name)
        }
        return lock
    }

    /// By the second; a second backup in it gets a number.
    private func name(isTaken: (String) -> Bool) -> String {
        let time = now().formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        var name = Self.prefix + time
        var number = 1
        while isTaken(name) {
            number += 1
            name = Self.prefix + time + "-\(number)"
        }
        return name
    }

    private func fill(_ draft: String, _ passphrase: String) async throws {
        let source = try settings.databaseFile()
        let secret = try SecretKey.text(path: settings.secretKeyPath)
        try BackupFiles.makeFolder(draft)
        let createdAt = now()
        let database = draft + "/" + BackupFolder.databaseFile
        let store = try SQLStore(
            path: source,
            synchronous: settings.synchronous
        )
        try await store.copy(to: database)
        let copy = CopiedDatabase(path: database)
        try copy.settle()
        try BackupFiles.synchronize(database)
        let (damage, rows) = try copy.examine()
        if let first = damage.first {
            throw BackupError.unusable(source, "it is damaged: \(first)")
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
