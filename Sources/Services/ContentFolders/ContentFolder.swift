import ContentFiles
import Foundation
import JSON
import Model
import NoroshiWire
import Reasons

/// What people have written in a workspace, as a folder of files that are reviewed and versioned like code.
///
/// A row is a YAML file; its name in the file is who it is, and the identifiers are in a lock file beside
/// them. Files that say what the server says are never rewritten, so that comments and order stay.
package struct ContentFolder {
    let root: URL
    private let service: ContentFileService
    private let actor: Actor

    package init(_ root: URL, service: ContentFileService, actor: Actor) {
        self.root = root
        self.service = service
        self.actor = actor
    }

    // MARK: Plan and apply

    /// - Throws: `FolderError`.
    package func plan() async throws -> FolderPlan {
        let server = try await ServerRows(service, of: actor.workspace)
        let written = try FolderLines(FolderFiles(root), server)
        return plan(written, server, try await compare(written))
    }

    /// Does what a plan says, in one transaction.
    ///
    /// - Parameter settles: Whether the lock file gets what both sides say now; a copy that is thrown away
    ///   says nothing.
    /// - Returns: `nil` if the files or the workspace have been changed, so that the plan is no longer what
    ///   would happen; nothing is stored then.
    /// - Throws: `FolderError`.
    package func apply(_ id: String, settles: Bool = true) async throws -> FolderPlan? {
        let server = try await ServerRows(service, of: actor.workspace)
        let written = try FolderLines(FolderFiles(root), server)
        let comparisons = try await compare(written)
        let plan = plan(written, server, comparisons)
        guard plan.id == id else { return nil }
        do {
            let stored = try await service.bringIn(
                records(of: written),
                ifStill: comparisons,
                by: actor
            )
            guard stored != nil else { return nil }
        } catch let error as ValidationError {
            throw written.error(error)
        }
        if settles { try await settle() }
        return plan
    }

    private func records(of written: FolderLines) -> [(number: Int, bytes: [UInt8])] {
        (written.lines + written.items.map(\.members)).enumerated()
            .map { ($0 + 1, Array(JSONWriter.text($1).utf8)) }
    }

    private func compare(_ written: FolderLines) async throws -> [ContentComparison] {
        do {
            return try await service.compare(
                records(of: written),
                by: actor
            )
        } catch let error as ValidationError {
            throw written.error(error)
        }
    }

    private func plan(
        _ written: FolderLines,
        _ server: ServerRows,
        _ comparisons: [ContentComparison]
    ) -> FolderPlan {
        let entries = comparisons.filter(\.isChanged).map { comparison in
            let object = written.objects[comparison.line - 1]
            let agreed = written.lock.entries[object.path]?.digest
            return FolderPlan.Entry(
                path: object.path,
                kind: object.kind,
                name: object.name,
                isNew: comparison.before == nil,
                differences: comparison.before.map {
                    ContentDifference($0, comparison.after) { server.names[$0] ?? $0 }.lines
                } ?? [],
                takesBack: agreed != nil && comparison.before.map(FolderLock.digest) != agreed
                    && comparison.before != nil,
                before: comparison.before,
                after: comparison.after
            )
        }
        return FolderPlan(
            entries: entries.sorted { $0.path < $1.path },
            all: comparisons.map { comparison in
                FolderPlan.Row(
                    path: written.objects[comparison.line - 1].path,
                    before: comparison.before,
                    after: comparison.after
                )
            }.sorted { $0.path < $1.path },
            rows: written.rowCounts(server),
            unchanged: comparisons.filter { !$0.isChanged }.count,
            onlyOnServer: server.rows(without: written.identities).map { $0.description },
            comparisons: comparisons,
            items: written.changedItems(server).map { item in
                [server.item(like: item).map(JSONValue.object) ?? .null, .object(item)]
            },
            names: server.names
        )
    }

    // MARK: Pull

    /// Writes what the server has into the folder.
    ///
    /// - Parameter overwrites: Whether files that were edited here are replaced as well.
    /// - Throws: `FolderError` for files that cannot be read, or that were changed on both sides; nothing is
    ///   written then.
    package func pull(overwrites: Bool = false) async throws -> FolderPull {
        let server = try await ServerRows(service, of: actor.workspace)
        let isThere = FileManager.default.fileExists(atPath: root.path)
        let files = isThere ? try read(leniently: overwrites) : FolderFiles()
        let written = try FolderLines(files, server)
        let comparisons = overwrites ? [] : try await compare(written)
        var pulling = FolderPulling(written, comparisons, server, overwrites: overwrites)
        try pulling.run()
        try pulling.write(to: root)
        try await settle(pulling.lock)
        return pulling.pull
    }

    /// - Throws: `FolderError`.
    private func read(leniently: Bool) throws(FolderError) -> FolderFiles {
        do throws(FolderError) {
            return try FolderFiles(root)
        } catch {
            guard leniently else { throw error }
            return FolderFiles()
        }
    }

    /// Notes in the lock file what both sides agree on now.
    private func settle(_ given: FolderLock? = nil) async throws {
        let server = try await ServerRows(service, of: actor.workspace)
        var files = try FolderFiles(root)
        let former = given ?? files.lock
        files.lock = former
        let written = try FolderLines(files, server)
        var lock = FolderLock()
        for comparison in try await compare(written) {
            let object = written.objects[comparison.line - 1]
            guard !comparison.isChanged else {
                lock.entries[object.path] = former.entries[object.path]
                continue
            }
            let parts = FolderIdentities.removed(from: .object(written.lines[comparison.line - 1]))
                .parts
            lock.entries[object.path] = FolderLock.Entry(
                id: written.lines[comparison.line - 1]["id"]?.stringValue,
                parts: parts,
                digest: FolderLock.digest(of: comparison.after)
            )
        }
        for (path, catalog) in written.rowFiles {
            let digest = FolderLock.digest(of: server.itemsValue(of: catalog))
            let agrees = written.itemsValue(of: catalog) == server.itemsValue(of: catalog)
            lock.entries[path] = agrees ? FolderLock.Entry(digest: digest) : former.entries[path]
        }
        try FolderPulling.put(lock.text, at: FolderLayout.lock, in: root)
    }
}
