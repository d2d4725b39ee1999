import Model
import Relational

/// The language, country and time zone reported by each user's most recently used device. They
/// apply to users for whom none was set explicitly.
struct LatestDevices {
    struct Report {
        var owner: Int64
        var updatedAt: Int64
        var locale: String?
        var timeZone: String?

        var place: DeviceLocale? { locale.map(DeviceLocale.init) }
    }

    /// In ascending order of the profiles' ids.
    private var reports: [Report] = []
    private var next = 0

    /// - Parameter condition: The condition that selects the devices to read.
    init(_ database: Database, where condition: String, arguments: StatementArguments) throws {
        try RawRows.forEach(
            database,
            sql: """
                SELECT profile_id, updated_at, locale, time_zone FROM devices
                WHERE \(condition) ORDER BY profile_id, id
                """,
            arguments: arguments
        ) { row in
            let (owner, updatedAt) = (row.integer(0), row.integer(1))
            if let last = reports.last, last.owner == owner {
                guard updatedAt > last.updatedAt else { return true }
                reports.removeLast()
            }
            reports.append(
                Report(
                    owner: owner,
                    updatedAt: updatedAt,
                    locale: row.text(2),
                    timeZone: row.text(3)
                )
            )
            return true
        }
    }

    /// The report of a user. Call in ascending order of the users' ids.
    mutating func report(of profile: Int64) -> Report? {
        while next < reports.count, reports[next].owner < profile { next += 1 }
        return next < reports.count && reports[next].owner == profile ? reports[next] : nil
    }
}
