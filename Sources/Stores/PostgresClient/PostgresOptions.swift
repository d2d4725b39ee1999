/// How a connection is made and used.
package struct PostgresOptions: Sendable {
    /// Seconds to wait for a server of the address, for each of them.
    package var connectTimeout = 5
    /// Milliseconds after which the server stops a statement; `nil` leaves it to the server.
    package var statementTimeout: Int?
    /// Milliseconds after which the server ends a connection whose transaction does nothing.
    package var idleInTransactionTimeout: Int?
    /// Statements are prepared when they come a second time.
    ///
    /// A pooler that gives each transaction another connection (pgbouncer before 1.21) needs `false`.
    package var preparesStatements = true
    /// How many statements stay prepared.
    package var preparedLimit = 400
    /// A server that only reads, as a standby, will do.
    package var acceptsStandby = false

    package init() {}

    /// The words of libpq for what an address does not say, and for what it may not say.
    func keywords(
        address: String,
        application: String
    ) -> [(keyword: String, value: String)] {
        // libpq takes the last of two values: an address overrides what stands before it.
        [
            ("application_name", application),
            ("connect_timeout", String(connectTimeout)),
            ("keepalives", "1"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            // What is sent and not acknowledged: a server that went away without a word.
            ("tcp_user_timeout", "15000"),
            ("target_session_attrs", acceptsStandby ? "any" : "read-write"),
            ("dbname", address),
            ("client_encoding", "UTF8"),
        ]
    }

    /// What is set once the connection is there.
    ///
    /// Poolers refuse the startup parameter `options`, so these are statements.
    var settings: String {
        var statements: [String] = []
        if let statementTimeout {
            statements.append("SET statement_timeout = \(statementTimeout)")
        }
        if let idleInTransactionTimeout {
            statements.append(
                "SET idle_in_transaction_session_timeout = \(idleInTransactionTimeout)"
            )
        }
        return statements.joined(separator: "; ")
    }
}
