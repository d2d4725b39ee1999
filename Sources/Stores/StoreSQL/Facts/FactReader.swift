import Foundation
import Model
import NoroshiWire
import Relational

/// Reads a page of facts in one snapshot.
///
/// It is a class because it remembers sends while it reads; it never leaves the closure of its
/// transaction.
final class FactReader {
    /// So many rows are looked at for a page, so that one of few facts does not read for minutes.
    private static let budget: Int64 = 20_000

    let database: Database
    let workspace: WorkspaceID
    let kinds: Set<Fact.Kind>
    let unreadable: UnreadableRows
    private let limit: Int
    private(set) var facts: [Fact] = []
    private var sends: [Int64: SendOfFact] = [:]

    init(
        _ database: Database,
        in workspace: WorkspaceID,
        kinds: Set<Fact.Kind>,
        limit: Int,
        unreadable: UnreadableRows
    ) {
        self.database = database
        self.workspace = workspace
        self.kinds = kinds
        self.limit = limit
        self.unreadable = unreadable
    }

    var room: Int { limit - facts.count }

    func add(_ number: Int64, _ kind: Fact.Kind, _ fields: [String: JSONValue]) {
        facts.append(Fact(number: number, kind: kind, fields: fields))
    }

    func page(after number: Int64) throws -> FactPage {
        var position = number
        var budget = Self.budget
        let last = try FactNumbering.last(database)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT first, stream, row, rows, facts FROM fact_spans
                WHERE first >= coalesce((SELECT max(first) FROM fact_spans WHERE first <= ?), 0)
                ORDER BY first
                """,
            arguments: [number]
        )
        while let row = try rows.next() {
            guard let span = FactSpan(row), span.last > position else { continue }
            guard room > 0, budget > 0 else {
                return FactPage(facts: facts, position: position, isLast: false)
            }
            budget -= 1
            if span.stream.kinds.isDisjoint(with: kinds) {
                position = span.last
                continue
            }
            let start = max(position + 1, span.first)
            if span.stream == .log {
                position = try readLog(span, from: start, &budget)
            } else {
                let low = span.row + (start - span.first)
                let high = min(span.row + span.rows - 1, low + max(budget, 1) - 1)
                let before = facts.count
                try read(span, rows: low...high)
                budget -= high - low + 1
                let isFull = room == 0 && facts.count > before
                position = isFull ? facts[facts.count - 1].number : span.first + (high - span.row)
            }
            if position < span.last {
                return FactPage(facts: facts, position: position, isLast: false)
            }
        }
        return FactPage(facts: facts, position: max(position, last), isLast: true)
    }

    /// - Returns: The last number that was looked at.
    private func readLog(
        _ span: FactSpan,
        from start: Int64,
        _ budget: inout Int64
    ) throws -> Int64 {
        let isList = span.rows == 1
        let low = isList ? span.row : span.row + (start - span.first)
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: "SELECT * FROM fact_log WHERE id BETWEEN ? AND ? ORDER BY id"
            ),
            arguments: [low, span.row + span.rows - 1]
        )
        var position = start - 1
        var isCut = false
        while let row = try rows.next() {
            guard room > 0, budget > 0 else { return position }
            let first = span.first + (isList ? 0 : row["id"] - span.row)
            let count: Int64 = row["facts"]
            budget -= count
            guard row["workspace_id"] == workspace.rawValue,
                let kind = Fact.Kind(rawValue: row["kind"]), kinds.contains(kind)
            else {
                position = first + count - 1
                continue
            }
            let before = facts.count
            try read(FactNote(row, kind, first: first), from: max(0, start - first))
            isCut = room == 0 && facts.count > before
            position = isCut ? facts[facts.count - 1].number : first + count - 1
        }
        return isCut ? position : span.last
    }

    /// The send with a number, which many facts name.
    func send(_ id: Int64) throws -> SendOfFact {
        if let known = sends[id] { return known }
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: SendOfFact.sql + " WHERE sends.id = ?"),
            arguments: [id]
        )
        let send = try row.map(SendOfFact.init(row:)) ?? SendOfFact(number: id)
        sends[id] = send
        return send
    }
}

/// What facts say of the send that they belong to.
struct SendOfFact {
    static let sql = """
        SELECT sends.id AS id, sends.public_id AS public_id, sends.campaign_id AS campaign_id,
            campaigns.api_id AS campaign, journeys.api_id AS journey,
            CAST(sends.content ->> '$.isTest' AS INTEGER) AS is_test,
            sends.created_at AS created_at, sends.scheduled_at AS scheduled_at
        FROM sends LEFT JOIN campaigns ON campaigns.id = sends.campaign_id
        LEFT JOIN journey_steps ON journey_steps.id = sends.journey_step_id
        LEFT JOIN journeys ON journeys.id = journey_steps.journey_id
        """

    var number: Int64
    var campaignID: Int64?
    /// What a fact of it says in any case.
    var fields: [String: JSONValue]

    init(number: Int64) {
        self.number = number
        fields = ["push_no": .integer(number)]
    }

    init(row: Row) throws {
        number = row["id"]
        campaignID = row["campaign_id"]
        let isTest: Bool? = row["is_test"]
        fields = [
            "push_no": .integer(number),
            "campaign_id": try FactValue.id(row, "campaign"),
            "journey_id": try FactValue.id(row, "journey"),
            "is_test": .bool(isTest ?? false),
        ]
    }
}

/// A row of the log.
struct FactNote {
    var kind: Fact.Kind
    /// The number of its first fact.
    var first: Int64
    var at: Int64?
    var send: Int64?
    var user: Int64?
    var state: DispatchState?
    var detail: String

    init(_ row: Row, _ kind: Fact.Kind, first: Int64) {
        self.kind = kind
        self.first = first
        at = row["at"]
        send = row["send_id"]
        user = row["profile_id"]
        state = (row["state"] as Int?).flatMap(DispatchState.init)
        detail = row["detail"] ?? "{}"
    }
}

/// Columns as values of JSON.
enum FactValue {
    static func id(_ row: Row, _ column: String) throws -> JSONValue {
        try StoredUUID.optional(row, column).map { .string($0.uuidString.lowercased()) } ?? .null
    }

    static func text(_ row: Row, _ column: String) -> JSONValue {
        (row[column] as String?).map(JSONValue.string) ?? .null
    }

    static func number(_ row: Row, _ column: String) -> JSONValue {
        (row[column] as Int64?).map(JSONValue.integer) ?? .null
    }

    static func time(_ row: Row, _ column: String) -> JSONValue { time(row[column] as Int64?) }

    static func time(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { .string(Timestamp.format(Date(milliseconds: $0))) } ?? .null
    }
}
