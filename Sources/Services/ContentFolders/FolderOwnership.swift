import ContentFiles
import Foundation
import Model
import Ports

/// Which rows of a workspace come from files, and what those would have to say.
package struct FolderOwnership: Sendable {
    private let store: any FolderFileStore
    private let service: ContentFileService
    private let now: @Sendable () -> Date

    package init(
        store: any FolderFileStore & ContentFileService.Source,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.now = now
        // Nothing is stored by comparing: what runs may be looked at, too.
        service = ContentFileService(store: store, now: now, changesWhatRuns: true)
    }

    /// Whether any row comes from a file.
    package func isUsed(in workspace: WorkspaceID) async throws -> Bool {
        try await store.hasFolderFiles(in: workspace)
    }

    /// The file of a row, from its folder; `nil` if none describes it.
    package func path(of row: WrittenRow, in workspace: WorkspaceID) async throws -> String? {
        try await store.folderPath(of: row, in: workspace)
    }

    /// What makes the files say what the server says.
    ///
    /// - Parameter isShown: Whether rows of a kind are told of.
    package func patch(
        in workspace: WorkspaceID,
        isShown: (_ kind: String) -> Bool = { _ in true }
    ) async throws -> FolderPatch {
        let files = try await store.folderFiles(in: workspace)
        guard !files.isEmpty else { return FolderPatch() }
        let texts = files.compactMap { file in file.text.map { (file.path, $0) } }
        let tree = FolderTree(Dictionary(uniqueKeysWithValues: texts))
        let found = try FolderFiles(tree)
        let known = Set(
            found.objects.filter { found.rows[FolderLayout.rows(of: $0.path)] != nil }.map(\.name)
        )
        let server = try await ServerRows(service, of: workspace, itemsOf: known.contains)
        let written = try FolderLines(found, server)
        // A name that they use may be gone.
        let (comparisons, wrong) = try await service.comparing(written, in: workspace)
        var pulling = FolderPulling(written, comparisons, server, onlyFiles: true)
        try pulling.run()
        try pulling.correct(wrong)
        if let outcome = try pulling.outcome(tree) {
            let (found, wrong) = try await service.comparing(outcome, in: workspace)
            try pulling.correct(wrong.union(outcome.changed(found)))
        }
        return FolderPatch(files, written, pulling, isShown: isShown)
    }

    /// Lets all rows be edited as if they came from no file, until a folder is applied again.
    ///
    /// - Returns: How many rows came from files.
    package func release(by actor: Actor) async throws -> Int {
        try actor.require(.administrator)
        return try await store.removeFolderFiles(
            in: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "folder_released",
                subject: "files"
            )
        )
    }
}
