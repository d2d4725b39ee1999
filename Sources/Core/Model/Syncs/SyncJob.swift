import Foundation

/// One import of a file from an operator's folder into a workspace.
package struct SyncJob: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case running
        /// All rows are stored.
        case success
        /// Some rows are stored.
        case partial
        /// No row is stored.
        case error
        /// The file cannot be read.
        case unreadable = "config_error"
    }

    package var id: Int64
    package var workspace: WorkspaceID
    /// The integration to which the file belongs.
    package var integration: UUID
    package var state: State
    package var startedAt: Date
    package var finishedAt: Date?
    /// The time of the file's last change before it was read.
    package var fileChangedAt: Date
    package var storedRows: Int
    package var rejectedRows: Int
    /// The problem of the file, or of the first rejected row.
    package var problem: String?

    package init(
        id: Int64,
        workspace: WorkspaceID,
        integration: UUID,
        state: State = .running,
        startedAt: Date,
        finishedAt: Date? = nil,
        fileChangedAt: Date,
        storedRows: Int = 0,
        rejectedRows: Int = 0,
        problem: String? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.integration = integration
        self.state = state
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.fileChangedAt = fileChangedAt
        self.storedRows = storedRows
        self.rejectedRows = rejectedRows
        self.problem = problem
    }
}
