import Foundation
import Model
import Relational

/// An installation as it was before its request.
struct Installation {
    /// The logged-in user.
    let owner: ProfileID?
    /// The user whom the installation's anonymous user became, and until when records of the
    /// anonymous user belong to that user.
    private let formerly: (profile: ProfileID, until: Date)?

    init(_ id: UUID, app: AppID, _ database: Database) throws {
        let row = try Row.fetchOne(
            try database.cachedStatement(
                sql: """
                    SELECT profile_id, nameless_became, nameless_until FROM devices
                    WHERE app_id = ? AND installation_id = ?
                    """
            ),
            arguments: [app.rawValue, id]
        )
        owner = row.map { ProfileID($0[0]) }
        if let became: Int64 = row?[1], became > 0, let until: Int64 = row?[2] {
            formerly = (ProfileID(became), Date(milliseconds: until))
        } else {
            formerly = nil
        }
    }

    /// The user whom the anonymous user of `time` has become; `nil` if it is still anonymous.
    func nameless(at time: Date) -> ProfileID? {
        formerly.flatMap { $0.until >= time ? $0.profile : nil }
    }
}
