import Foundation
import GRDB
import Model
import Ports

/// An audience as a condition on the table `devices`.
enum AudienceCondition {
    static func sql(_ audience: Audience) throws -> (String, StatementArguments) {
        switch audience {
        case .everyone:
            return ("1", [])
        case .profiles(let profiles):
            return (
                "devices.profile_id IN (SELECT value FROM json_each(?))",
                [try StoredJSON.text(profiles)]
            )
        case .matching:
            throw StoreError(
                .unsupported,
                "the rows do not say who is in a segment; ask the audience, and name its users"
            )
        }
    }
}
