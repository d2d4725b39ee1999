import Foundation

/// One reading of a file of an operator's folder into a workspace.
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
    /// What is read, whatever is in it at the time.
    package var integration: UUID
    package var state: State
    package var startedAt: Date
    package var finishedAt: Date?
    /// When the file was last changed before it was read.
    package var fileChangedAt: Date
    package var storedRows: Int
    package var rejectedRows: Int
    /// What was wrong with the file, or with the first row that was rejected.
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
