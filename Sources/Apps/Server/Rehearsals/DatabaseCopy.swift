import Foundation
import Model
import StoreSQLite

/// A database in a private folder of its own, which is thrown away: a copy of one that a server may be
/// using, or an empty one.
package struct DatabaseCopy: Sendable {
    private static let file = "rehearsal.sqlite"

    package let store: SQLiteStore
    private let folder: URL

    /// - Parameter path: A database; `nil` begins with nothing.
    /// - Parameter folder: Made for it, readable by its owner only; it must not be there.
    /// - Throws: Whatever cannot be read or written; nothing is left behind then.
    package init(of path: String?, in folder: URL = Self.temporaryFolder()) async throws {
        self.folder = folder
        // It may get a copy of everybody.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            let copy = folder.appending(path: Self.file).path
            if let path {
                // A connection of its own keeps nobody from writing.
                try await SQLiteStore(path: path, synchronous: .normal).copy(to: copy)
            }
            store = try SQLiteStore(path: copy, isThrownAway: true)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    package static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory
            .appending(path: "noroshi-rehearsal-\(UUID().uuidString.prefix(8))")
    }

    package func remove() { try? FileManager.default.removeItem(at: folder) }
}
