import Foundation
import Ports

extension SQLStore {
    /// Opens the database at a place, and makes it there if it is missing: on PostgreSQL its schema only.
    ///
    /// - Parameters:
    ///   - pooler: A pooler of the same database of PostgreSQL, which may give each transaction another
    ///     connection.
    ///   - synchronous: Of a file; on PostgreSQL its own setting says what a commit survives.
    ///   - isClaimed: Whether the caller has the claim of the file or of the database.
    ///   - copiesBeforeUpdate: Of a file.
    ///   - readers: Number of connections to PostgreSQL that read.
    /// - Throws: `StoreError`, as the initializers for each of the two.
    package convenience init(
        at location: DatabaseLocation,
        pooler: DatabaseLocation? = nil,
        synchronous: Synchronous = .full,
        isClaimed: Bool = false,
        copiesBeforeUpdate: Bool = true,
        readers: Int = 4,
        onUnreadable: @escaping @Sendable (UnreadableRow) -> Void = { _ in }
    ) throws {
        switch location {
        case .file(let path):
            try self.init(
                path: path,
                synchronous: synchronous,
                isClaimed: isClaimed,
                copiesBeforeUpdate: copiesBeforeUpdate,
                onUnreadable: onUnreadable
            )
        case .postgres(let address):
            try self.init(
                postgres: address,
                pooler: pooler?.address,
                isClaimed: isClaimed,
                readers: readers,
                onUnreadable: onUnreadable
            )
        }
    }
}
