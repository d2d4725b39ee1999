import Foundation
import PostgresClient
import PostgresTesting
import Testing

extension PostgresClientTests {
    @Suite("Rows that are read one after the other")
    struct RowTests {
        static let isInTransaction = [false, true]
        // In the list of columns the numbers are made one by one, in FROM all at once.
        private static let sql =
            "SELECT x, x::text FROM (SELECT generate_series(1, $1::bigint) AS x) AS numbers"

        private func connect(inTransaction: Bool) throws -> PostgresConnection {
            let connection = try PostgresClientTests.connect()
            if inTransaction {
                try connection.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            }
            return connection
        }

        private func isGood(_ connection: PostgresConnection) throws -> Bool {
            try connection.execute("SELECT 41 + 1").value(0, 0) == .integer(42)
        }

        @Test(
            "all rows come, in their order",
            arguments: isInTransaction,
            [0, 1, 63, 64, 65, 5000]
        )
        func all(inTransaction: Bool, count: Int) throws {
            let connection = try connect(inTransaction: inTransaction)
            var rows: [PostgresValue] = []
            try connection.forEachRow(Self.sql, [.integer(Int64(count))]) { row in
                #expect(row.columns == ["x", "x"])
                rows.append(row[0])
                return true
            }
            #expect(rows == PostgresValue.integers(1, to: count))
            #expect(try isGood(connection))
            #expect(connection.isInTransaction == inTransaction)
        }

        @Test(
            "a reader that stops in the middle leaves a good connection",
            arguments: isInTransaction
        )
        func stop(inTransaction: Bool) throws {
            let connection = try connect(inTransaction: inTransaction)
            for _ in 0..<3 {
                var count = 0
                try connection.forEachRow(Self.sql, [.integer(100_000_000)]) { _ in
                    count += 1
                    return count < 1000
                }
                #expect(count == 1000)
                #expect(try isGood(connection))
            }
            #expect(!connection.hasFailedTransaction)
        }

        @Test("a reader that fails leaves a good connection", arguments: isInTransaction)
        func failure(inTransaction: Bool) throws {
            struct Failure: Error {}
            let connection = try connect(inTransaction: inTransaction)
            #expect(throws: Failure.self) {
                try connection.forEachRow(Self.sql, [.integer(100_000_000)]) { _ in throw Failure()
                }
            }
            #expect(try isGood(connection))
        }

        @Test(
            "rows that nobody reads to the end do not block the connection",
            arguments: isInTransaction
        )
        func abandoned(inTransaction: Bool) throws {
            let connection = try connect(inTransaction: inTransaction)
            do {
                let rows = try connection.rows(Self.sql, [.integer(100_000_000)])
                #expect(try rows.next()?[0] == .integer(1))
            }
            #expect(try isGood(connection))
        }

        @Test("a row stays good after the others have been read", arguments: isInTransaction)
        func keptRow(inTransaction: Bool) throws {
            let connection = try connect(inTransaction: inTransaction)
            var kept: [PostgresRow] = []
            try connection.forEachRow(Self.sql, [.integer(300)]) { row in
                kept.append(row)
                return true
            }
            #expect(kept.map { $0[1] } == (1...300).map { .text(String($0)) })
        }

        @Test("an error before the first row is thrown at once", arguments: isInTransaction)
        func badStatement(inTransaction: Bool) throws {
            let connection = try connect(inTransaction: inTransaction)
            let error = try #require(throws: PostgresError.self) {
                _ = try connection.rows("SELECT missing", [])
            }
            #expect(error.state == "42703")
        }

        @Test("an error in the middle comes after the rows before it", arguments: isInTransaction)
        func lateError(inTransaction: Bool) throws {
            let connection = try connect(inTransaction: inTransaction)
            var count = 0
            let error = try #require(throws: PostgresError.self) {
                try connection.forEachRow("SELECT 1 / (3000 - x) FROM generate_series(1, 4000) x") {
                    _ in
                    count += 1
                    return true
                }
            }
            #expect(error.state == "22012")
            #expect(count > 0 && count < 3000)
            if inTransaction { try connection.run(script: "ROLLBACK") }
            #expect(try isGood(connection))
        }

        @Test("in a transaction, other statements can run while rows are read")
        func interleaved() throws {
            let connection = try PostgresClientTests.connect()
            try connection.run(script: "BEGIN; CREATE TEMP TABLE sums (x bigint) ON COMMIT DROP")
            var inner = 0
            try connection.forEachRow(Self.sql, [.integer(2000)]) { row in
                try connection.execute("INSERT INTO sums VALUES ($1)", [row[0]])
                try connection.forEachRow(Self.sql, [.integer(2)]) { _ in
                    inner += 1
                    return true
                }
                return true
            }
            let sum = try connection.execute("SELECT sum(x) FROM sums")
            #expect(sum.value(0, 0) == .integer(2_001_000))
            #expect(inner == 4000)
            try connection.run(script: "COMMIT")
        }

        @Test("outside of a transaction, another statement is refused until the rows are read")
        func refused() throws {
            let connection = try PostgresClientTests.connect()
            let rows = try connection.rows(Self.sql, [.integer(2)])
            #expect(throws: PostgresError.self) { try connection.execute("SELECT 1") }
            while try rows.next() != nil {}
            #expect(try isGood(connection))
        }

        @Test("rows of a statement that writes are read too")
        func writing() throws {
            let connection = try PostgresClientTests.connect()
            try connection.run(script: "BEGIN; CREATE TEMP TABLE things (x bigint) ON COMMIT DROP")
            for sql in [
                "INSERT INTO things SELECT generate_series(1, 100) RETURNING x",
                "WITH gone AS (DELETE FROM things RETURNING x) SELECT x FROM gone",
            ] {
                var count = 0
                try connection.forEachRow(sql) { _ in
                    count += 1
                    return true
                }
                #expect(count == 100)
            }
            try connection.run(script: "COMMIT")
        }

        @Test("rows end with their transaction, and do no harm to the next one")
        func nextTransaction() throws {
            let connection = try connect(inTransaction: true)
            let read = try connection.rows(Self.sql, [.integer(1000)])
            let closed = try connection.rows(Self.sql, [.integer(1000)])
            try connection.execute("COMMIT")
            try connection.execute("BEGIN")
            try closed.close()
            #expect(throws: PostgresError.self) { while try read.next() != nil {} }
            #expect(try read.next() == nil)
            #expect(!connection.hasFailedTransaction)
            try connection.execute("COMMIT")
        }

        @Test("a cursor can be closed in a transaction that has failed")
        func failedTransaction() throws {
            let connection = try connect(inTransaction: true)
            let rows = try connection.rows(Self.sql, [.integer(1000)])
            #expect(try rows.next() != nil)
            #expect(throws: PostgresError.self) { try connection.execute("SELECT 1/0") }
            try rows.close()
            #expect(try rows.next() == nil)
            try connection.run(script: "ROLLBACK")
        }
    }
}
