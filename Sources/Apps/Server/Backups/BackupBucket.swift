import Foundation
import ObjectStorage

/// A bucket with backups below an address, or with the files of one.
package struct BackupBucket: Sendable, Hashable {
    /// Larger files are uploaded in parts of this size, unless another is named.
    package static let usualPartSize = 16 << 20

    let address: BucketAddress
    let access: BucketAccess
    let partSize: Int

    package init(
        address: BucketAddress,
        access: BucketAccess,
        partSize: Int = BackupBucket.usualPartSize
    ) {
        self.address = address
        self.access = access
        self.partSize = partSize
    }

    func open<Value: Sendable>(
        now: @escaping @Sendable () -> Date,
        _ work: (OpenBackupBucket) async throws -> Value
    ) async throws -> Value {
        try await access.withBucket(address.bucket, now: now) { client in
            try await work(OpenBackupBucket(address: address, client: client, partSize: partSize))
        }
    }
}
