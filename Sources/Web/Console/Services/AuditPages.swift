import Foundation
import Model

/// Who changed what.
package protocol AuditPages: Sendable {
    /// Newest first.
    func auditLog(_ query: AuditLogQuery, for member: ConsoleMember) async throws -> AuditLogList
    /// Everyone who is in the log.
    func auditAuthors(for member: ConsoleMember) async throws -> [String]
    /// Writes down what a member has done.
    func record(
        _ action: AuditAction,
        subject: String,
        detail: String,
        for member: ConsoleMember
    ) async throws
}

/// What can be done in the console.
package enum AuditAction: String, Sendable, Hashable, CaseIterable {
    case pushSent = "push_sent"
    case pushScheduled = "push_scheduled"
    case pushChanged = "push_changed"
    case pushCancelled = "push_cancelled"
    case pushPaused = "push_paused"
    case pushResumed = "push_resumed"
    case pushLimitChanged = "push_limit_changed"
    case campaignSaved = "campaign_saved"
    case campaignActivated = "campaign_activated"
    case campaignPaused = "campaign_paused"
    case campaignResumed = "campaign_resumed"
    case campaignStopped = "campaign_stopped"
    case campaignArchived = "campaign_archived"
    case contentBlockSaved = "content_block_saved"
    case contentBlockDeleted = "content_block_deleted"
    case catalogCreated = "catalog_created"
    case catalogChanged = "catalog_changed"
    case catalogDeleted = "catalog_deleted"
    case catalogItemSaved = "catalog_item_saved"
    case catalogItemDeleted = "catalog_item_deleted"
    case inAppSaved = "in_app_saved"
    case inAppActivated = "in_app_activated"
    case inAppPaused = "in_app_paused"
    case inAppArchived = "in_app_archived"
    case newsSaved = "news_saved"
    case newsPublished = "news_published"
    case newsScheduled = "news_scheduled"
    case newsDeleted = "news_deleted"
    case segmentSaved = "segment_saved"
    case segmentDeleted = "segment_deleted"
    case listSaved = "list_saved"
    case listDeleted = "list_deleted"
    case appAdded = "app_added"
    case authenticationChanged = "authentication_changed"
    case credentialsSaved = "credentials_saved"
    case basicAuthSaved = "basic_auth_saved"
    case basicAuthDeleted = "basic_auth_deleted"
    case keyCreated = "key_created"
    case keyChanged = "key_changed"
    case keyRevoked = "key_revoked"
    case memberAdded = "member_added"
    case memberChanged = "member_changed"
    case memberRemoved = "member_removed"
    case settingsSaved = "settings_saved"
    case eventBlocked = "event_blocked"
    case eventAllowed = "event_allowed"
    case attributeBlocked = "attribute_blocked"
    case attributeAllowed = "attribute_allowed"
    case workspaceCreated = "workspace_created"
    case subscriptionGroupAdded = "subscription_group_added"
    case workspaceChanged = "workspace_changed"
    case signInFailed = "sign_in_failed"
    case passwordChanged = "password_changed"
    case passwordLinkMade = "password_link_made"
    case passwordReset = "password_reset"

    package var wordKey: String { "audit.action." + rawValue }
}

/// Where a change was made.
package enum AuditOrigin: String, Sendable, Hashable, CaseIterable {
    case console, api
    case commandLine = "command_line"

    package var wordKey: String { "audit.origin." + rawValue }
}

/// Which entries a page shows.
package struct AuditLogQuery: Sendable, Hashable {
    package var text = ""
    package var author: String?
    package var origin: AuditOrigin?
    package var page = ListPage(size: 50)

    package init() {}
}

package struct AuditLogList: Sendable, Hashable {
    package var rows: [AuditEntry]
    package var total: Int

    package init(rows: [AuditEntry], total: Int) {
        self.rows = rows
        self.total = total
    }
}

package struct AuditEntry: Sendable, Hashable {
    package var at: Date
    package var origin: AuditOrigin
    package var author: String
    /// An ``AuditAction``, or the permission that an API key has used.
    package var action: String
    package var subject: String
    package var detail: String

    package init(
        at: Date,
        origin: AuditOrigin,
        author: String,
        action: String,
        subject: String,
        detail: String
    ) {
        self.at = at
        self.origin = origin
        self.author = author
        self.action = action
        self.subject = subject
        self.detail = detail
    }
}
