import Model

/// Which users a file has, and what of them.
struct ExportJob: Sendable {
    var workspace: WorkspaceID
    /// No users at all when there is none.
    var query: SegmentQuery?
    /// All fields when empty.
    var fields: Set<String>
    /// What the names of the files inside begin with.
    var prefix: String
}
