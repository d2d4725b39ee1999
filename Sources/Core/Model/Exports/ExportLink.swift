import Foundation

/// A file of users that can be fetched from an address for some hours. The file is made anew each
/// time it is fetched.
package struct ExportLink: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, Codable, CaseIterable {
        case zip, gzip
    }

    package var workspace: WorkspaceID
    /// Whose users; no users at all when there is none.
    package var query: SegmentQuery?
    /// What of them; all fields when empty.
    package var fields: Set<String>
    package var format: Format
    /// What the names of the files inside begin with.
    package var prefix: String
    package var expiresAt: Date

    package init(
        workspace: WorkspaceID,
        query: SegmentQuery?,
        fields: Set<String>,
        format: Format = .zip,
        prefix: String,
        expiresAt: Date
    ) {
        self.workspace = workspace
        self.query = query
        self.fields = fields
        self.format = format
        self.prefix = prefix
        self.expiresAt = expiresAt
    }
}
