import Foundation
import Model
import Ports
import Relational

/// What is counted from the dispatches of a send, and kept in the place of its rows when it is closed.
struct LedgerFigures: Hashable {
    /// The different persons at each step; deleted ones are in none.
    struct Users: Hashable {
        var targeted = 0
        var delivered = 0
        var received = 0
        var opened = 0
    }

    private(set) var rows: Int
    private(set) var accepted: Int
    private(set) var received: Int
    private(set) var directOpens: Int
    /// Direct and influenced opens.
    private(set) var opened: Int
    private(set) var users: Users
    private(set) var firstAcceptance: Int64?
    /// Direct opens by the page of a push story.
    private(set) var pages: [Int: Int]
    /// Opens by the minutes after which they had come.
    private(set) var delays: [Int: Int]
    private(set) var middleDelay: Int64?
}

extension LedgerFigures {
    init(counting send: SendID, _ database: Database) throws {
        let row = try Row.fetchOnly(
            database,
            sql: """
                SELECT count(*) AS pushes, count(accepted_at) AS accepted,
                    count(received_at) AS received, count(opened_at) AS direct,
                    count(\(SQLStore.openedAt)) AS opened
                FROM dispatches WHERE send_id = ?
                """,
            arguments: [send.rawValue]
        )
        rows = row["pushes"]
        accepted = row["accepted"]
        received = row["received"]
        directOpens = row["direct"]
        opened = row["opened"]
        pages = try Self.pages(of: send, database)
        let counted = LedgerRows(of: .send(send), database)
        users = try counted.users()
        firstAcceptance = try counted.firstAcceptance()
        let found = try counted.openDelays(unit: LedgerRows.finest)
        delays = found.opens
        middleDelay = found.middle
    }

    static func pages(of send: SendID, _ database: Database) throws -> [Int: Int] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT opened_page, count(*) AS opens FROM dispatches
                WHERE send_id = ? AND opened_page IS NOT NULL GROUP BY 1
                """,
            arguments: [send.rawValue]
        )
        return rows.reduce(into: [:]) { $0[$1["opened_page"]] = $1["opens"] }
    }

    /// - Parameter unit: The length of a step in seconds, whole minutes.
    func openDelays(unit: Int64) -> OpenDelays {
        OpenDelays(opens: Self.steps(unit: unit, ofMinutes: delays), middle: middleDelay)
    }

    /// Opens by longer steps than minutes.
    static func steps(unit: Int64, ofMinutes minutes: [Int: Int]) -> [Int: Int] {
        let length = Int(unit / LedgerRows.finest)
        return minutes.reduce(into: [:]) { steps, found in
            steps[(found.key + length - 1) / length, default: 0] += found.value
        }
    }
}
