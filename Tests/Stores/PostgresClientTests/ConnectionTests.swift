import Foundation
import PostgresClient
import PostgresTesting
import Testing

extension PostgresClientTests {
    @Suite("A connection to PostgreSQL")
    struct ConnectionTests {
        private func error(_ body: () throws -> Void) throws -> PostgresError {
            try #require(throws: PostgresError.self) { try body() }
        }

        @Test("it says which version the server has")
        func version() throws {
            #expect(try connect().serverVersion >= 140_000)
        }

        @Test("a server that is not there is named")
        func noServer() throws {
            let error = try error {
                _ = try PostgresConnection(
                    "postgresql://noroshi:secret@127.0.0.1:1/store",
                    application: "tests"
                )
            }
            #expect(error.isConnectionLost)
            #expect(error.state.isEmpty)
            #expect(error.description.contains("127.0.0.1"))
            #expect(!error.description.contains("secret"))
        }

        @Test(
            "an address that cannot be read is refused without its password",
            arguments: [
                "postgresql://noroshi:secret@[::1/store", "postgresql://noroshi:secret@host:p%zz/x",
                "postgresql://noroshi:secret@host/x?unknown=1",
                "host=x password=secret colour=blue",
                "host=x password='secret",
            ]
        )
        func badAddress(_ address: String) throws {
            let error = try error {
                _ = try PostgresConnection(address, application: "tests")
            }
            #expect(!error.description.contains("secret"))
            #expect(error.description.count > 30)
        }

        @Test("the application and what the options say are known to the server")
        func options() throws {
            var options = PostgresOptions()
            options.statementTimeout = 4321
            options.idleInTransactionTimeout = 8765
            let connection = try connect(options)
            let answer = try connection.execute(
                """
                SELECT current_setting('application_name'), current_setting('statement_timeout'),
                    current_setting('idle_in_transaction_session_timeout')
                """
            )
            let values = (0..<3).map { answer.value(0, $0) }
            #expect(values == [.text("tests"), .text("4321ms"), .text("8765ms")])
        }

        @Test("a value that must be unique is an error with its state and its constraint")
        func uniqueValue() throws {
            let connection = try connect()
            try connection.run(
                script: "CREATE TEMP TABLE users (name text CONSTRAINT users_by_name UNIQUE)"
            )
            let sql = "INSERT INTO users VALUES ($1)"
            try connection.execute(sql, [.text("ada@example.com")])
            let error = try error { try connection.execute(sql, [.text("ada@example.com")]) }
            #expect(error.state == "23505")
            #expect(error.constraint == "users_by_name")
            #expect(error.table == "users")
            #expect(error.sql == sql)
            #expect(!error.isConnectionLost)
            // It goes into logs, where nobody's data belongs.
            #expect(!error.description.contains("ada"))
            #expect(connection.isAlive)
        }

        @Test("a statement that fails ends its transaction until it is rolled back")
        func failedTransaction() throws {
            let connection = try connect()
            #expect(!connection.isInTransaction)
            try connection.execute("BEGIN")
            #expect(connection.isInTransaction)
            try connection.execute("SAVEPOINT here")
            #expect(try error { try connection.execute("SELECT 1/0") }.state == "22012")
            #expect(connection.hasFailedTransaction)
            #expect(try error { try connection.execute("SELECT 1") }.state == "25P02")
            try connection.execute("ROLLBACK TO here")
            #expect(!connection.hasFailedTransaction)
            #expect(connection.isInTransaction)
            try connection.execute("COMMIT")
            #expect(!connection.isInTransaction)
        }

        @Test("a script runs all its statements or none")
        func script() throws {
            let connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE one (x int); INSERT INTO one VALUES (1)")
            #expect(
                try error {
                    try connection.run(script: "INSERT INTO one VALUES (2); SELECT nothing")
                }.state == "42703"
            )
            let answer = try connection.execute("SELECT count(*) FROM one")
            #expect(answer.value(0, 0) == .integer(1))
        }

        @Test("a connection that is lost names the server")
        func lostConnection() throws {
            let connection = try connect()
            let other = try connect()
            #expect(connection.isStillAlive())
            try other.execute(
                "SELECT pg_terminate_backend($1::int, 5000)",
                [.integer(Int64(connection.processID))]
            )
            let error = try error { try connection.execute("SELECT 1") }
            #expect(error.isConnectionLost)
            #expect(error.message.contains("/test_"))
            #expect(!connection.isAlive)
            #expect(!connection.isInTransaction)
            #expect(try self.error { try connection.execute("SELECT 1") }.isConnectionLost)
        }

        @Test("a connection that was ended while it was idle can be known before it is used")
        func lostWhileIdle() throws {
            let connection = try connect()
            try connect().execute(
                "SELECT pg_terminate_backend($1::int, 5000)",
                [.integer(Int64(connection.processID))]
            )
            #expect(!connection.isStillAlive())
        }

        @Test("a statement is cancelled from another thread, and the connection goes on")
        func cancellation() throws {
            let connection = try connect()
            let cancellation = connection.makeCancellation()
            let thread = Thread {
                // Again and again, because the statement may not have begun.
                while cancellation.cancel() { usleep(1000) }
            }
            thread.start()
            let error = try error { try connection.execute("SELECT pg_sleep(60)") }
            cancellation.finish()
            #expect(error.isCancelled)
            #expect(!cancellation.cancel())
            let answer = try connection.execute("SELECT 1")
            #expect(answer.value(0, 0) == .integer(1))
        }

        @Test("a limit of time stops a statement")
        func timeout() throws {
            var options = PostgresOptions()
            options.statementTimeout = 50
            let connection = try connect(options)
            #expect(try error { try connection.execute("SELECT pg_sleep(60)") }.isCancelled)
        }

        @Test("U+0000 in a statement is refused, because C would cut it there")
        func zeroInStatement() throws {
            let connection = try connect()
            #expect(throws: PostgresError.self) { try connection.execute("SELECT 1\0, 2") }
            #expect(throws: PostgresError.self) { try connection.run(script: "SELECT 1\0, 2") }
        }

        @Test("COPY outside of its own function leaves no connection that waits for rows")
        func strayCopy() throws {
            let connection = try connect()
            try connection.run(script: "CREATE TEMP TABLE one (x int)")
            let error = try error { try connection.execute("COPY one FROM STDIN") }
            #expect(error.isConnectionLost)
            #expect(!connection.isAlive)
        }
    }
}
