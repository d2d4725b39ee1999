import Foundation
import PostgresTesting
import Testing

@testable import PostgresClient

extension PostgresClientTests {
    @Suite("Prepared statements")
    struct StatementTests {
        private func prepared(_ connection: PostgresConnection) throws -> Int {
            let answer = try connection.pipeline { pipeline in
                pipeline.once("SELECT count(*) FROM pg_prepared_statements")
            }
            guard case .integer(let count) = answer.first?.value(0, 0) else { return -1 }
            return Int(count)
        }

        @Test("a statement is prepared when it comes again")
        func second() throws {
            let connection = try connect()
            for (index, expected) in [0, 1, 1, 1].enumerated() {
                let answer = try connection.execute("SELECT $1 + 1", [.integer(Int64(index))])
                #expect(answer.value(0, 0) == .integer(Int64(index + 1)))
                #expect(try prepared(connection) == expected)
            }
        }

        @Test("a value that is missing takes the type that it has at other times")
        func missingValue() throws {
            let connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE things (a bigint, b text, c bytea)")
            let sql = "INSERT INTO things VALUES ($1, $2, $3)"
            for number in 0..<64 {
                try connection.execute(
                    sql,
                    [
                        number & 1 == 0 ? .integer(1) : .null,
                        number & 2 == 0 ? .text("a") : .null,
                        number & 4 == 0 ? .bytes(Data([1])) : .null,
                    ]
                )
            }
            #expect(try prepared(connection) == 1)
            let counts = try connection.execute("SELECT count(a), count(b), count(c) FROM things")
            #expect((0..<3).map { counts.value(0, $0) } == Array(repeating: .integer(32), count: 3))
        }

        @Test("one text with values of two types is two statements")
        func types() throws {
            let connection = try connect()
            let values: [PostgresValue] = [.integer(1), .double(0.5), .integer(2), .double(1.5)]
            for value in values + values {
                let answer = try connection.execute("SELECT $1", [value])
                #expect(answer.value(0, 0) == value)
            }
            #expect(try prepared(connection) == 2)
        }

        @Test("no more statements stay prepared than the limit says, and the oldest goes first")
        func limit() throws {
            var options = PostgresOptions()
            options.preparedLimit = 10
            let connection = try connect(options)
            for number in 0..<50 {
                for _ in 0..<2 {
                    let often = try connection.execute("SELECT 'often', $1", [.integer(7)])
                    #expect(often.value(0, 1) == .integer(7))
                    let answer = try connection.execute("SELECT \(number)")
                    #expect(answer.value(0, 0) == .integer(Int64(number)))
                }
            }
            try connection.execute("SELECT 'last'")
            #expect(try prepared(connection) <= 10)
            let often = try connection.execute(
                "SELECT 1 FROM pg_prepared_statements WHERE statement LIKE $1 ESCAPE '!'",
                [.text("SELECT 'often'%")]
            )
            #expect(often.count == 1)
        }

        @Test("a statement that was pushed out of a failed transaction goes later")
        func pushedOut() throws {
            var options = PostgresOptions()
            options.preparedLimit = 1
            let connection = try connect(options)
            for _ in 0..<2 { try connection.execute("SELECT 1") }
            try connection.execute("BEGIN")
            #expect(throws: PostgresError.self) { try connection.execute("SELECT 1/0") }
            #expect(throws: PostgresError.self) { try connection.execute("SELECT 2") }
            try connection.execute("ROLLBACK")
            #expect(try connection.execute("SELECT 2").count == 1)
            #expect(try prepared(connection) <= 1)
        }

        @Test("without preparing, nothing stays at the server and the answers are the same")
        func unnamed() throws {
            var options = PostgresOptions()
            options.preparesStatements = false
            let connection = try connect(options)
            for number in 0..<5 {
                let answer = try connection.execute(
                    "SELECT $1, $2",
                    [.integer(Int64(number)), .text("a")]
                )
                #expect(answer.value(0, 0) == .integer(Int64(number)))
                #expect(answer.value(0, 1) == .text("a"))
            }
            #expect(try prepared(connection) == 0)
        }

        @Test("a table that has changed does not spoil a prepared statement")
        func changedTable() throws {
            let connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE things (a bigint)")
            let sql = "SELECT * FROM things"
            for _ in 0..<3 { try connection.execute(sql) }
            try connection.run(script: "ALTER TABLE things ADD b text")
            #expect(try connection.execute(sql).columns == ["a", "b"])
        }

        @Test("in a transaction it is an error once, and good when the transaction is run again")
        func changedTableInTransaction() throws {
            let connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE things (a bigint)")
            let sql = "SELECT * FROM things"
            for _ in 0..<3 { try connection.execute(sql) }
            try connection.run(script: "ALTER TABLE things ADD b text")
            try connection.run(script: "BEGIN")
            let error = try #require(throws: PostgresError.self) { try connection.execute(sql) }
            #expect(error.isStaleStatement)
            try connection.run(script: "ROLLBACK")
            try connection.run(script: "BEGIN")
            #expect(try connection.execute(sql).columns == ["a", "b"])
            try connection.run(script: "COMMIT")
        }

        @Test("statements that the server has forgotten are prepared again")
        func forgotten() throws {
            let connection = try connect()
            for _ in 0..<3 { try connection.execute("SELECT 1") }
            try connection.run(script: "DEALLOCATE ALL")
            #expect(try connection.execute("SELECT 1").value(0, 0) == .integer(1))
        }
    }
}
