import GRDB
import Model

/// What the device that each user used last says of language, country and time zone: it holds for
/// users of whom nobody has said anything else.
struct LatestDevices {
    struct Report {
        var owner: Int64
        var updatedAt: Int64
        var locale: String?
        var timeZone: String?

        var place: DeviceLocale? { locale.map(DeviceLocale.init) }
    }

    /// In the order of the profiles' ids.
    private var reports: [Report] = []
    private var next = 0

    /// - Parameter condition: Which devices are looked at.
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

    /// That of a user; users are asked for in the order of their ids.
    mutating func report(of profile: Int64) -> Report? {
        while next < reports.count, reports[next].owner < profile { next += 1 }
        return next < reports.count && reports[next].owner == profile ? reports[next] : nil
    }
}
