import Foundation
import Model

/// News items and who has read them.
///
/// A read comes as the event `news_read` with `news_id`; a store keeps the first one of a user
/// with the event, in the same transaction.
package protocol NewsStore: Sendable {
    /// - Parameter audit: Its subject becomes the item's number.
    /// - Throws: `DraftFinished` when the draft of its origin has become an item before.
    func createNews(
        _ content: NewsContent,
        author: String,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> NewsItem
    /// Whether there was such an item in the workspace.
    ///
    /// - Throws: `StoreError` with code `changed` when it was changed after its origin;
    ///   `DraftFinished` when the draft of its origin was saved before.
    func updateNews(
        _ id: NewsID,
        content: NewsContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool
    /// Deletes an item with its reads. Whether there was one.
    func deleteNews(
        _ id: NewsID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    func news(_ id: NewsID, in workspace: WorkspaceID) async throws -> NewsItem?
    /// In the order of their making.
    func news(
        in workspace: WorkspaceID,
        matching query: NewsQuery
    ) async throws -> (items: [NewsItem], total: Int)
    /// How many users have read each item; items that nobody has read are left out.
    func newsReads(of items: [NewsID]) async throws -> [NewsID: Int]
    /// How many users have read an item for the first time between each two of the times.
    func newsReads(of item: NewsID, between times: [Date]) async throws -> [Int]
    /// When a user read each item for the first time.
    func newsRead(by user: ProfileID, of items: [NewsID]) async throws -> [NewsID: Date]
}

extension NewsStore {
    package func createNews(
        _ content: NewsContent,
        author: String,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> NewsItem {
        try await createNews(
            content,
            author: author,
            in: workspace,
            from: .direct,
            noting: nil,
            now: now
        )
    }

    package func updateNews(
        _ id: NewsID,
        content: NewsContent,
        in workspace: WorkspaceID,
        now: Date
    ) async throws -> Bool {
        try await updateNews(
            id,
            content: content,
            in: workspace,
            from: .direct,
            noting: nil,
            now: now
        )
    }
}
