import Foundation
import Model

/// Content blocks. Each change is one transaction with its audit record.
package protocol ContentBlockStore: Sendable {
    /// Stores a new block.
    ///
    /// - Throws: `StoreError` with code `exists` if the workspace has one with this name.
    func createContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws
    /// Changes the block with this id.
    ///
    /// - Returns: `false` if it does not exist.
    /// - Throws: `StoreError` with code `exists` if another block has the name.
    func updateContentBlock(_ block: ContentBlock, noting audit: AuditRecord?) async throws -> Bool
    /// - Returns: `false` if it did not exist.
    func deleteContentBlock(_ id: UUID, in workspace: WorkspaceID, noting audit: AuditRecord?)
        async throws -> Bool
    func contentBlock(_ id: UUID, in workspace: WorkspaceID) async throws -> ContentBlock?
    /// The existing blocks with these names.
    func contentBlocks(named names: [String], in workspace: WorkspaceID) async throws
        -> [ContentBlock]
    /// The content blocks with which a send began; `nil` before they are kept.
    func contentBlocks(of send: SendID) async throws -> [SentContentBlock]?
    /// Keeps the content blocks of a send until it ends, unless another server has done so.
    ///
    /// - Returns: Those that are kept.
    func keepContentBlocks(_ blocks: [SentContentBlock], of send: SendID) async throws
        -> [SentContentBlock]
    /// Most recently changed first.
    func contentBlocks(in workspace: WorkspaceID, matching query: ContentBlockQuery) async throws
        -> [ContentBlock]
}
