import Foundation
import Model

/// What happened between a user and the messages they got.
package protocol ContactStore: Sendable {
    /// The latest contacts of a user before `end`, newest first.
    func contacts(
        of profile: ProfileID,
        before end: Date?,
        limit: Int
    ) async throws -> [StoredContact]
}
