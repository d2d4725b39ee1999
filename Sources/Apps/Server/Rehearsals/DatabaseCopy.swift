import Foundation
import Model
import Rehearsals
import StoreSQL

/// A database in a private folder of its own, which is thrown away: a copy of one that a server may be
/// using, or an empty one. It is a file also where the other one is PostgreSQL's.
package struct DatabaseCopy: Sendable {
    private static let file = "rehearsal.sqlite"
    private static let mostBytesToShare = Double(1 << 30)

    package let store: SQLStore
    private let folder: URL

    /// - Parameter database: `nil` begins with nothing.
    /// - Parameter folder: Made for it, readable by its owner only; it must not be there.
    /// - Throws: Whatever cannot be read or written; nothing is left behind then.
    package init(
        of database: DatabaseLocation?,
        in folder: URL = Self.temporaryFolder()
    ) async throws {
        self.folder = folder
        // It may get a copy of everybody: in a folder that is there already others might read it.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            let copy = folder.appending(path: Self.file).path
            // Connections of its own keep nobody from writing.
            switch database {
            case .file(let path):
                try await SQLStore(path: path, synchronous: .normal).copy(to: copy)
                store = try SQLStore(path: copy, isThrownAway: true)
            case .postgres(let address):
                store = try SQLStore(path: copy, isThrownAway: true)
                let source = try SQLStore(postgres: address, readers: 1)
                try await DatabaseMove(from: source, to: store).run { _ in
                    try Task.checkCancellation()
                }
                try await source.close()
            case nil:
                store = try SQLStore(path: copy, isThrownAway: true)
            }
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    /// Those who play on copies beside each other: as many as there are processors, at most four, and one where
    /// copying would take longer than it saves.
    package var hands: RehearsalHands? {
        let size = SystemFigures.size(of: folder.appending(path: Self.file).path)
        let count = min(4, ProcessInfo.processInfo.activeProcessorCount)
        guard count > 1, size < Self.mostBytesToShare else { return nil }
        return RehearsalHands(count) { try await another() }
    }

    /// A copy of the store as it is now, in the same folder.
    private func another() async throws -> SQLStore {
        let path = folder.appending(path: "\(UUID().uuidString).sqlite").path
        try await store.copy(to: path)
        return try SQLStore(path: path, isThrownAway: true)
    }

    package static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory
            .appending(path: "noroshi-rehearsal-\(UUID().uuidString.prefix(8))")
    }

    package func remove() { try? FileManager.default.removeItem(at: folder) }
}
