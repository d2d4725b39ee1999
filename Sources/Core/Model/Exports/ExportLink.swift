import Foundation

/// A link to a file of users that is valid for some hours. The file is generated anew on each
/// download.
package struct ExportLink: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable, Codable, CaseIterable {
        case zip, gzip
    }

    package var workspace: WorkspaceID
    /// The users to export; `nil` exports no users.
    package var query: SegmentQuery?
    /// The fields to export; empty means all of them.
    package var fields: Set<String>
    package var format: Format
    /// The prefix of the names of the contained files.
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
