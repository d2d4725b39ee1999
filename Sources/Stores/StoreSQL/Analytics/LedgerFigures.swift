import Foundation
import Model
import Ports
import Relational

/// What is counted from the dispatches of a send, and kept in the place of its rows when it is closed.
struct LedgerFigures: Codable, Hashable {
    /// The different persons at each step; deleted ones are in none.
    struct Users: Codable, Hashable {
        var targeted: Int
        var delivered: Int
        var received: Int
        var opened: Int
    }

    /// The finest steps of the curve of opens, in seconds: all others are made of them.
    private static let finest: Int64 = 60

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
    private var delays: [Int: Int]
    private var middleDelay: Int64?

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
        let found = try counted.openDelays(unit: Self.finest)
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
        let minutes = Int(unit / Self.finest)
        var found = OpenDelays()
        for (step, opens) in delays {
            found.opens[(step + minutes - 1) / minutes, default: 0] += opens
        }
        found.middle = middleDelay
        return found
    }
}
