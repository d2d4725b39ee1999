import Foundation
import Liquid
import Model
import Ports
import Reasons

/// Reads, writes and deletes content blocks.
///
/// Changes require the role of marketer, and each is one transaction with its audit record.
package struct ContentBlockService: Sendable {
    private let store: any ContentUses.Source
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any ContentUses.Source,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    /// Most recently changed first.
    package func blocks(
        in workspace: WorkspaceID,
        matching query: ContentBlockQuery
    ) async throws -> [ContentBlock] {
        try await store.contentBlocks(in: workspace, matching: query)
    }

    package func block(_ id: UUID, in workspace: WorkspaceID) async throws -> ContentBlock? {
        try await store.contentBlock(id, in: workspace)
    }

    /// The uses of the workspace's blocks and catalogs.
    package func uses(in workspace: WorkspaceID) async throws -> ContentUses {
        try await ContentUses(store: store, in: workspace)
    }

    /// Creates a block that `write` fills in.
    ///
    /// - Throws: `ValidationError`, `NotAllowedError`, and any error of `write`.
    package func create(
        by actor: Actor,
        _ write: (inout ContentBlock) throws -> Void
    ) async throws -> ContentBlock {
        try actor.require(.marketer)
        let now = now()
        var block = ContentBlock(
            id: makeID(),
            workspace: actor.workspace,
            name: "",
            content: "",
            createdAt: now,
            updatedAt: now
        )
        try write(&block)
        try Self.check(block)
        try await refusingTakenName(of: block) {
            try await store.createContentBlock(
                block,
                noting: record("content_block_saved", block, actor)
            )
        }
        return block
    }

    /// Changes a block; fields that `write` does not set stay the same. Scheduled messages use the
    /// new version.
    ///
    /// - Returns: `nil` if the block does not exist.
    /// - Throws: As ``create(by:_:)``.
    package func change(
        _ id: UUID,
        by actor: Actor,
        _ write: (inout ContentBlock) throws -> Void
    ) async throws -> ContentBlock? {
        try actor.require(.marketer)
        guard var block = try await block(id, in: actor.workspace) else { return nil }
        try write(&block)
        block.updatedAt = now()
        try Self.check(block)
        let isThere = try await refusingTakenName(of: block) {
            try await store.updateContentBlock(
                block,
                noting: record("content_block_saved", block, actor)
            )
        }
        return isThere ? block : nil
    }

    /// - Returns: `false` if the block did not exist.
    /// - Throws: `RefusalError` while active messages use it; `NotAllowedError`.
    package func delete(_ id: UUID, by actor: Actor) async throws -> Bool {
        try actor.require(.marketer)
        guard let block = try await block(id, in: actor.workspace) else { return false }
        let holders = try await uses(in: actor.workspace).holders(ofBlock: block.name)
            .filter(\.isActive)
        guard holders.isEmpty else { throw ContentUses.refusal(holders) }
        return try await store.deleteContentBlock(
            id,
            in: actor.workspace,
            noting: record("content_block_deleted", block, actor)
        )
    }

    private static func check(_ block: ContentBlock) throws(ValidationError) {
        var problems: [FieldProblem] = []
        func report(_ field: FieldPath.Block, _ reason: Reason?) {
            if let reason { problems.append(FieldProblem(.block(field), reason)) }
        }
        report(.name, ContentBlockValidator.problem(name: block.name))
        report(.description, ContentBlockValidator.problem(description: block.description))
        report(.content, ContentBlockValidator.problem(content: block.content))
        if block.tags.count > ContentBlockValidator.tagLimit {
            report(
                .tags,
                Reason(FieldReason.mostElements, ["count": "\(ContentBlockValidator.tagLimit)"])
            )
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        do throws(LiquidError) {
            _ = try Template(parsing: block.content, mode: .strict)
        } catch {
            throw ValidationError([FieldProblem(.block(.content), error.whole)])
        }
    }

    private func refusingTakenName<Value>(
        of block: ContentBlock,
        _ store: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await store()
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(
                .block(.name),
                .blockNameTaken,
                ["name": .text(block.name)]
            )
        }
    }

    private func record(_ action: String, _ block: ContentBlock, _ actor: Actor) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: block.name)
    }
}
