import Foundation
import ObjectStorage

/// Where backups are, or one of them is: a folder, or what is below an address in a bucket.
package enum BackupPlace: Sendable, Hashable, CustomStringConvertible {
    case folder(String)
    case bucket(BackupBucket)

    /// - Parameter text: The path of a folder, or `s3://BUCKET/PREFIX`.
    /// - Throws: `BucketError` or `SettingError`.
    package init(_ text: String, buckets: BucketSettings) throws {
        guard BucketAddress.isOne(text) else {
            self = .folder(text)
            return
        }
        self = .bucket(
            BackupBucket(address: try BucketAddress(text), access: try buckets.access())
        )
    }

    package var description: String {
        switch self {
        case .folder(let path): path
        case .bucket(let bucket): bucket.address.description
        }
    }

    /// Whether its files are on this computer.
    var isLocal: Bool {
        if case .folder = self { return true }
        return false
    }

    /// The finished backups, the newest first.
    package func all(now: @escaping @Sendable () -> Date) async throws -> [StoredBackup] {
        switch self {
        case .folder(let path): try BackupFolder.all(in: path).map(StoredBackup.init)
        case .bucket(let bucket): try await bucket.open(now: now) { try await $0.all() }
        }
    }

    /// When the newest backup was written; `nil` if there is none.
    func newest(now: @escaping @Sendable () -> Date) async throws -> Date? {
        switch self {
        // A folder that cannot be read is made, or refused, by whoever writes into it.
        case .folder(let path): (try? BackupFolder.all(in: path))?.first?.manifest.createdAt
        case .bucket(let bucket): try await bucket.open(now: now) { try await $0.newest() }
        }
    }

    /// Runs `work` with the backup that is here, as a folder: that of a bucket is downloaded before,
    /// and removed afterwards.
    ///
    /// - Parameters:
    ///   - downloads: The folder for it, which must not be needed for anything else.
    ///   - passphrase: Tried before the database is downloaded; `nil` to leave the key closed.
    /// - Throws: `BackupError`, `BucketError`.
    package func withBackup<Value: Sendable>(
        downloads: String,
        passphrase: String?,
        now: @escaping @Sendable () -> Date,
        _ work: (BackupFolder) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .folder(let path): return try await work(try BackupFolder(path))
        case .bucket(let bucket):
            // Left by a process that was killed.
            try BackupFiles.remove(downloads)
            try BackupFiles.makeFolder(downloads)
            defer { try? BackupFiles.remove(downloads) }
            try await bucket.open(now: now) {
                try await $0.download(to: downloads, passphrase: passphrase)
            }
            return try await work(try BackupFolder(downloads))
        }
    }
}
