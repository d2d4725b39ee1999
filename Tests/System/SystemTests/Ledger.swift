import Foundation
import GRDB

/// Looks into the database of a running server from outside.
struct Ledger {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The number that a query answers.
    func number(_ sql: String) async throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        return try await queue.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }
}
