import Relational

/// Gives numbers to the rows that have none yet.
///
/// There is one writer, and rows of these tables are only inserted: what is committed has lower row
/// numbers than what will be. So the order in which rows are found here, table by table, can be kept
/// as ranges, and those who write rows need not know of it.
struct FactNumbering {
    /// So many rows of the log in one transaction; each may be a range of its own.
    private static let logRows = 20_000

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    static func isDue(_ database: Database) throws -> Bool {
        let known = try places(database)
        return try FactStream.allCases.contains {
            try database.last(of: $0.table) > known[$0.rawValue] ?? 0
        }
    }

    static func last(_ database: Database) throws -> Int64 { try places(database)[0] ?? 0 }

    private static func places(_ database: Database) throws -> [Int64: Int64] {
        try Row.fetchAll(
            try database.cachedStatement(sql: "SELECT stream, row FROM fact_streams")
        ).reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }

    /// - Returns: Whether any row got a number.
    func run() throws -> Bool {
        let places = try Self.places(database)
        let last = places[0] ?? 0
        var next = last + 1
        for stream in FactStream.allCases {
            let place = places[stream.rawValue] ?? 0
            let spans =
                stream == .log
                ? try logSpans(after: place, from: next)
                : try spans(of: stream, after: place, from: next)
            guard let end = spans.last else { continue }
            for span in spans { try insert(span) }
            try set(stream.rawValue, to: end.row + end.rows - 1)
            next = end.last + 1
        }
        guard next > last + 1 else { return false }
        try set(0, to: next - 1)
        return true
    }

    private func spans(
        of stream: FactStream,
        after place: Int64,
        from number: Int64
    ) throws -> [FactSpan] {
        let rows = try database.last(of: stream.table) - place
        guard rows > 0 else { return [] }
        return [
            FactSpan(first: number, stream: stream, row: place + 1, rows: rows, facts: rows)
        ]
    }

    private func logSpans(after place: Int64, from number: Int64) throws -> [FactSpan] {
        var spans: [FactSpan] = []
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, facts FROM fact_log WHERE id > ? ORDER BY id LIMIT ?",
            arguments: [place, Self.logRows]
        )
        while let row = try rows.next() {
            let (id, facts): (Int64, Int64) = (row[0], row[1])
            if facts == 1, var last = spans.last, last.rows == last.facts,
                last.row + last.rows == id
            {
                last.rows += 1
                last.facts += 1
                spans[spans.count - 1] = last
                continue
            }
            let first = spans.last.map { $0.last + 1 } ?? number
            spans.append(FactSpan(first: first, stream: .log, row: id, rows: 1, facts: facts))
        }
        return spans
    }

    private func insert(_ span: FactSpan) throws {
        try database.cachedStatement(
            sql: "INSERT INTO fact_spans (first, stream, row, rows, facts) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [span.first, span.stream.rawValue, span.row, span.rows, span.facts])
    }

    private func set(_ stream: Int64, to row: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE fact_streams SET row = ? WHERE stream = ?"
        ).execute(arguments: [row, stream])
    }
}
