import Foundation
import Model

/// What is written in forms before it is sent or saved.
package protocol DraftPages: Sendable {
    /// Keeps what a window has written; what has become something stays as it was. Where another
    /// window has written on, this one's becomes a draft of its own.
    ///
    /// - Parameter seen: The revision that the window has read or written last; 0 for none.
    /// - Returns: What is kept now.
    func keep(_ draft: FormDraft, seen: Int, for member: ConsoleMember) async throws -> FormDraft

    func draft(_ id: UUID, for member: ConsoleMember) async throws -> FormDraft?

    /// Those that have become nothing yet, the newest first.
    func drafts(_ kind: FormDraft.Kind, for member: ConsoleMember) async throws -> [FormDraft]

    /// Forgets a draft. Whether there was one.
    func discardDraft(_ id: UUID, for member: ConsoleMember) async throws -> Bool
}
