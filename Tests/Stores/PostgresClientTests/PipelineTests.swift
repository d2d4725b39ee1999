import Foundation
import PostgresClient
import PostgresTesting
import Testing

extension PostgresClientTests {
    @Suite("Many statements in one trip")
    struct PipelineTests {
        let connection: PostgresConnection

        init() throws {
            connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE things (x bigint UNIQUE, body text)")
        }

        private func count() throws -> PostgresValue {
            try connection.execute("SELECT count(*) FROM things").value(0, 0)
        }

        @Test("each statement has its answer, in their order")
        func answers() throws {
            for _ in 0..<3 {
                let answers = try connection.pipeline { pipeline in
                    for number in 0..<500 {
                        pipeline.add("SELECT $1 + 1", [.integer(Int64(number))])
                    }
                }
                let values = answers.map { $0.value(0, 0) }
                #expect(values == PostgresValue.integers(1, to: 500))
            }
        }

        @Test("a statement that fails ends the others, and nothing of them stays")
        func failure() throws {
            for _ in 0..<3 {
                let error = try #require(throws: PostgresError.self) {
                    try connection.pipeline { pipeline in
                        pipeline.add("INSERT INTO things VALUES ($1)", [.integer(1)])
                        pipeline.add("INSERT INTO things (x) VALUES ($1)", [.integer(1)])
                        pipeline.add("SELECT 'after'")
                        pipeline.add("SELECT nothing")
                    }
                }
                #expect(error.state == "23505")
                #expect(error.sql == "INSERT INTO things (x) VALUES ($1)")
                #expect(try count() == .integer(0))
            }
            #expect(try connection.execute("SELECT 'after'").value(0, 0) == .text("after"))
        }

        @Test("in a transaction it is a part of it")
        func transaction() throws {
            try connection.execute("BEGIN")
            try connection.pipeline { pipeline in
                for number in 0..<10 {
                    pipeline.add("INSERT INTO things VALUES ($1)", [.integer(Int64(number))])
                }
            }
            #expect(try count() == .integer(10))
            try connection.execute("ROLLBACK")
            #expect(try count() == .integer(0))
        }

        @Test("large statements and large answers do not wait for each other")
        func large() throws {
            let body = String(repeating: "x", count: 500_000)
            let answers = try connection.pipeline { pipeline in
                for _ in 0..<40 { pipeline.add("SELECT $1 || 'y'", [.text(body)]) }
            }
            #expect(answers.count == 40)
            #expect(answers.allSatisfy { $0.value(0, 0) == .text(body + "y") })
        }

        @Test("nothing to send sends nothing")
        func empty() throws {
            #expect(try connection.pipeline { _ in }.isEmpty)
        }

        @Test("a connection that is lost in the middle is an error that says so")
        func lost() throws {
            let error = try #require(throws: PostgresError.self) {
                try connection.pipeline { pipeline in
                    pipeline.add("SELECT 1")
                    pipeline.add("SELECT pg_terminate_backend(pg_backend_pid())")
                    pipeline.add("SELECT 2")
                }
            }
            #expect(error.isConnectionLost)
            #expect(!connection.isAlive)
        }
    }
}
