import Foundation
import Model
import Ports
import Relational

/// An audience as an SQL condition on the table `devices`.
struct AudienceCondition {
    let sql: String
    let arguments: StatementArguments
    /// Prefix for the other columns of `devices` in the query. Named users are few and have their
    /// own index; without statistics SQLite would rather read all devices of the workspace.
    let unindexed: String

    init(_ audience: Audience) throws {
        switch audience {
        case .everyone:
            sql = "1"
            arguments = []
            unindexed = ""
        case .profiles(let profiles):
            sql = "devices.profile_id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
            arguments = [try StoredJSON.text(profiles)]
            unindexed = "+"
        case .matching:
            throw StoreError(
                .unsupported,
                .noSegments
            )
        }
    }
}
