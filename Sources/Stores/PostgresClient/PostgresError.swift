import Foundation

/// What the server answered, or why it did not.
package struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// The SQLSTATE, as `23505` for a value that must be unique; empty when there was no answer.
    package let state: String
    /// What happened, in the words of the server or of libpq.
    package let message: String
    /// More of it, as the values of a key that is there twice: personal data, and not in ``description``.
    package let detail: String?
    /// The constraint or the unique index that was violated.
    package let constraint: String?
    /// The table that was written.
    package let table: String?
    /// The statement, without its parameters.
    package let sql: String?
    /// The connection is of no more use: the server ended it, or nothing comes through.
    package let isConnectionLost: Bool
    /// A prepared statement was made for tables that have changed since, or is not known to the server.
    ///
    /// The connection forgets its prepared statements, so the transaction can be run again on it.
    package let isStaleStatement: Bool

    init(
        state: String = "",
        message: String,
        detail: String? = nil,
        constraint: String? = nil,
        table: String? = nil,
        sql: String? = nil,
        isConnectionLost: Bool = false,
        isStaleStatement: Bool = false
    ) {
        self.state = state
        self.message = message
        self.detail = detail
        self.constraint = constraint
        self.table = table
        self.sql = sql
        self.isConnectionLost = isConnectionLost
        self.isStaleStatement = isStaleStatement
    }

    /// The whole transaction may succeed when it is run again: a deadlock or a conflict of two snapshots.
    package var isConflict: Bool {
        state == "40001" || state == "40P01"
    }

    /// A statement was stopped, by a cancellation or by a limit of time.
    package var isCancelled: Bool {
        state == "57014"
    }

    package var description: String {
        var text = state.isEmpty ? "PostgreSQL: \(message)" : "PostgreSQL \(state): \(message)"
        if let sql { text += " - in `\(sql.prefix(2000))`" }
        return text
    }
}

extension PostgresError {
    /// Reads what libpq has about a result that is an error.
    init(
        _ libpq: LibPQ,
        result: OpaquePointer,
        sql: String?,
        isConnectionLost: Bool,
        server: String
    ) {
        func field(_ code: Unicode.Scalar) -> String? {
            libpq.resultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        let state = field("C") ?? ""
        let words =
            field("M") ?? libpq.resultErrorMessage(result).map { String(cString: $0) } ?? ""
        let isLost = isConnectionLost || state.hasPrefix("08") || state.hasPrefix("57P0")
        // The message is translated by the server; the name of the function in its source is not.
        let isStale =
            state == "26000" || (state == "0A000" && field("R") == "RevalidateCachedQuery")
        self.init(
            state: state,
            message: isLost ? Self.lost(server, words) : words.trimmed,
            detail: field("D"),
            constraint: field("n"),
            table: field("t"),
            sql: sql,
            isConnectionLost: isLost,
            isStaleStatement: isStale
        )
    }

    static func lost(_ server: String, _ words: String) -> String {
        "the connection to \(server) is lost: \(words.trimmed)"
    }
}

extension String {
    /// libpq ends its messages with a line break.
    var trimmed: String {
        trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
