import Foundation
import GRDB
import PostgresClient
import ServerTesting
import StoreSQL

/// Looks into the database of a running server from outside.
struct Ledger: Sendable {
    private let location: DatabaseLocation

    init(_ database: TestDatabase) {
        location = database.location
    }

    /// An expression for a text in a column that holds JSON.
    ///
    /// - Parameter path: Keys, and places in lists, with dots between them.
    func value(_ path: String, of column: String) -> String {
        let steps = path.split(separator: ".")
        guard location.path != nil else {
            return "(\(column)::jsonb #>> '{\(steps.joined(separator: ","))}')"
        }
        let places = steps.map { Int($0) == nil ? ".\($0)" : "[\($0)]" }.joined()
        return "json_extract(\(column), '$\(places)')"
    }

    /// The number that a query answers.
    func number(_ sql: String) async throws -> Int {
        try await rows(sql).first?.first?.flatMap { Int($0) } ?? 0
    }

    /// The rows that a query answers, of whole numbers and texts.
    func rows(_ sql: String) async throws -> [[String?]] {
        switch location {
        case .file(let path):
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            return try await queue.read { database in
                try Row.fetchAll(database, sql: sql).map { row in
                    row.databaseValues.map { String.fromDatabaseValue($0) ?? Self.text($0) }
                }
            }
        case .postgres(let address):
            let answer = try PostgresConnection(address, application: "tests").execute(sql)
            return (0..<answer.count).map { row in
                answer.columns.indices.map { column in
                    switch answer.value(row, column) {
                    case .integer(let number): "\(number)"
                    case .text(let text): text
                    default: nil
                    }
                }
            }
        }
    }

    private static func text(_ value: DatabaseValue) -> String? {
        Int64.fromDatabaseValue(value).map { "\($0)" }
    }
}
