import Foundation
import Model

/// News items and the users who have read them.
///
/// A read arrives as the event `news_read` with `news_id`; a store records the first read of each
/// user together with the event, in the same transaction.
package protocol NewsStore: Sendable {
    /// - Parameter audit: Its subject becomes the item's id.
    /// - Throws: `DraftFinishedError` if the draft of its origin has already become an item.
    func createNews(
        _ content: NewsContent,
        author: String,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> NewsItem
    /// - Returns: `false` if the workspace has no such item.
    /// - Throws: `StoreError` with code `changed` if it was changed after its origin;
    ///   `DraftFinishedError` if the draft of its origin was already saved.
    func updateNews(
        _ id: NewsID,
        content: NewsContent,
        in workspace: WorkspaceID,
        from origin: EditOrigin,
        noting audit: AuditRecord?,
        now: Date
    ) async throws -> Bool
    /// Deletes an item with its reads.
    ///
    /// - Returns: `false` if it did not exist.
    func deleteNews(
        _ id: NewsID,
        in workspace: WorkspaceID,
        noting audit: AuditRecord?
    ) async throws -> Bool
    func news(_ id: NewsID, in workspace: WorkspaceID) async throws -> NewsItem?
    /// In order of creation.
    func news(
        in workspace: WorkspaceID,
        matching query: NewsQuery
    ) async throws -> (items: [NewsItem], total: Int)
    /// Number of users who have read each item; items without readers are left out.
    func newsReads(of items: [NewsID]) async throws -> [NewsID: Int]
    /// Number of users who read an item for the first time, between each of the times and the next.
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
