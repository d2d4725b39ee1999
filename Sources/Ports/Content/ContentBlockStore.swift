import Foundation
import Model

/// Content blocks. Each change is one transaction with its audit record.
package protocol ContentBlockStore: Sendable {
    /// Stores a new block.
    ///
    /// - Throws: `StoreError` with code `exists` when the workspace has one of this name.
    func createContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws
    /// Changes the block with this id. Whether there was one.
    ///
    /// - Throws: `StoreError` with code `exists` when another block has the name.
    func updateContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws -> Bool
    /// Whether there was one.
    func deleteContentBlock(_ id: UUID, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    func contentBlock(_ id: UUID, in workspace: WorkspaceID) async throws -> ContentBlock?
    /// The blocks of these names that exist.
    func contentBlocks(named names: [String], in workspace: WorkspaceID) async throws
        -> [ContentBlock]
    /// Most recently changed first.
    func contentBlocks(in workspace: WorkspaceID, matching query: ContentBlockQuery) async throws
        -> [ContentBlock]
}
