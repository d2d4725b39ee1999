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
    private enum Place {
        case disk(URL)
        case memory([String: String])
    }

    private let place: Place
    private let service: ContentFileService
    private let actor: Actor

    package init(_ root: URL, service: ContentFileService, actor: Actor) {
        place = .disk(root)
        self.service = service
        self.actor = actor
    }

    /// A folder of texts by path, which can be looked at and applied.
    package init(_ texts: [String: String], service: ContentFileService, actor: Actor) {
        place = .memory(texts)
        self.service = service
        self.actor = actor
    }

    /// - Throws: `FolderError` if there is no folder.
    private func tree() throws(FolderError) -> FolderTree {
        switch place {
        case .disk(let root): try FolderTree(root)
        case .memory(let texts): FolderTree(texts)
        }
    }

    // MARK: Plan and apply

    /// - Throws: `FolderError`.
    package func plan() async throws -> FolderPlan {
        let server = try await ServerRows(service, of: actor.workspace)
        let written = try FolderLines(FolderFiles(tree()), server)
        return plan(written, server, try await compare(written))
    }

    /// Does what a plan says, in one transaction, and keeps the files that say it: they own their rows from
    /// then on.
    ///
    /// - Parameter isCopy: Whether the workspace is a copy that is thrown away: nothing is kept, and the lock
    ///   file says nothing of it.
    /// - Returns: `nil` if the files or the workspace have been changed, so that the plan is no longer what
    ///   would happen; nothing is stored then.
    /// - Throws: `FolderError`.
    package func apply(_ id: String, isCopy: Bool = false) async throws -> FolderPlan? {
        let server = try await ServerRows(service, of: actor.workspace)
        let tree = try tree()
        let written = try FolderLines(FolderFiles(tree), server)
        let comparisons = try await compare(written)
        let plan = plan(written, server, comparisons)
        guard plan.id == id else { return nil }
        do {
            let stored = try await service.bringIn(
                written.records,
                ifStill: comparisons,
                files: isCopy ? nil : KeptFiles.of(tree, written, server, comparisons),
                by: actor
            )
            guard stored != nil else { return nil }
        } catch let error as ValidationError {
            throw written.error(error)
        }
        if !isCopy, case .disk(let root) = place { try await settle(root) }
        return plan
    }

    private func compare(_ written: FolderLines) async throws -> [ContentComparison] {
        do {
            return try await service.compare(
                written.records,
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
        guard case .disk(let root) = place else { return FolderPull() }
        let server = try await ServerRows(service, of: actor.workspace)
        let isThere = FileManager.default.fileExists(atPath: root.path)
        let tree = isThere ? try FolderTree(root) : FolderTree([:])
        let written = try FolderLines(try read(tree, leniently: overwrites), server)
        let comparisons = overwrites ? [] : try await compare(written)
        var pulling = FolderPulling(written, comparisons, server, overwrites: overwrites)
        try pulling.run()
        if let outcome = try pulling.outcome(tree) {
            let (found, wrong) = try await service.comparing(outcome, in: actor.workspace)
            try pulling.correct(wrong.union(outcome.changed(found)))
        }
        try pulling.write(to: root)
        try await settle(root, pulling.lock)
        return pulling.pull
    }

    /// - Throws: `FolderError`.
    private func read(_ tree: FolderTree, leniently: Bool) throws(FolderError) -> FolderFiles {
        do throws(FolderError) {
            return try FolderFiles(tree)
        } catch {
            guard leniently else { throw error }
            return FolderFiles()
        }
    }

    /// Notes in the lock file what both sides agree on now.
    private func settle(_ root: URL, _ given: FolderLock? = nil) async throws {
        let server = try await ServerRows(service, of: actor.workspace)
        var files = try FolderFiles(FolderTree(root))
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
            lock.entries[object.path] = FolderLock.Entry(
                of: written.lines[comparison.line - 1],
                agreed: comparison.after
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
