import Foundation
import Model

/// The history of messages to a user.
package protocol EngagementStore: Sendable {
    /// The latest entries of a user's history before `end`, newest first.
    func contacts(
        of profile: ProfileID,
        before end: Date?,
        limit: Int
    ) async throws -> [MessageEngagement]
}
