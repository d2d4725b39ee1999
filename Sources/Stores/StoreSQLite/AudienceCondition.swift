import Foundation
import GRDB
import Model

/// An audience as a condition on the table `devices`.
enum AudienceCondition {
    static func sql(_ audience: Audience) throws -> (String, StatementArguments) {
        switch audience {
        case .everyone:
            ("1", [])
        case .profiles(let profiles):
            (
                "devices.profile_id IN (SELECT value FROM json_each(?))",
                [try StoredJSON.text(profiles)]
            )
        }
    }
}
