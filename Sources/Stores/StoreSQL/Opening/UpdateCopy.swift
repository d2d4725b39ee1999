import Foundation
import GRDB
import Model
import Ports
import Reasons

/// Copies of a database as it was before its schema was changed: the way back to the version that
/// wrote it.
struct UpdateCopy {
    static let mark = ".before-update-"
    private static let unfinished = ".unfinished"
    /// Number of copies that stay; older ones are deleted when another one is made.
    private static let kept = 2

    let file: DatabaseFile

    /// The finished copies, the newest first.
    var all: [String] { files.filter { !$0.hasSuffix(Self.unfinished) }.sorted(by: >) }

    private var files: [String] {
        let url = URL(filePath: file.path)
        let folder = url.deletingLastPathComponent()
        let prefix = url.lastPathComponent + Self.mark
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { folder.appending(path: $0).path }
    }

    /// Writes a copy beside the database, readable by its owner only, and deletes old ones.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: `StoreError` if it cannot be written, as when the disk is full.
    @discardableResult
    func write(from pool: DatabasePool, now: Date) throws -> String {
        let time = now.formatted(.iso8601.timeSeparator(.omitted).dateSeparator(.omitted))
        let path = file.path + Self.mark + time
        let draft = path + Self.unfinished
        do {
            // Left by a process that was killed.
            for left in files where left.hasSuffix(Self.unfinished) { try remove(left) }
            _ = try DatabaseFile(preparing: draft)
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "VACUUM INTO ?", arguments: [draft])
            }
            try remove(path)
            try FileManager.default.moveItem(atPath: draft, toPath: path)
        } catch {
            try? remove(draft)
            throw StoreError(
                .unavailable,
                .noCopy,
                ["path": .text(file.path), "reason": "\(error)"]
            )
        }
        for old in all.dropFirst(Self.kept) { try? remove(old) }
        return path
    }

    /// The newest copy that this version can use; `nil` if there is none.
    func usable(_ migrator: DatabaseMigrator) -> String? {
        all.first { path in
            var configuration = Configuration()
            configuration.readonly = true
            guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else {
                return false
            }
            return (try? queue.read { try !migrator.hasBeenSuperseded($0) }) == true
        }
    }

    private func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }
}
