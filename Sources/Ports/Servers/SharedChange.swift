import Model

/// Something that a server has done and that pages and workers of the others should know soon. A hint: the
/// store is what counts.
package enum SharedChange: Sendable, Hashable {
    /// A send was created or has progressed, or one of its pushes was received or opened.
    case send(SendID, WorkspaceID?)
    /// Data was ingested.
    case ingested(WorkspaceID)
}
