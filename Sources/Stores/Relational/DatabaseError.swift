import GRDB
import PostgresClient

/// What went wrong in a database, whichever it is.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// A row with the same key or unique value is there already.
        case taken
        /// Another condition of the schema is not met.
        case constraint
        case diskFull
        case locked
        case readOnly
        case inputOutput
        case cannotOpen
        case noMemory
        case damaged
        /// The connection to the server is gone.
        case lost
        /// The value is not what the program expects.
        case mismatch
        /// Another server has taken the database.
        case superseded
        /// A statement of the transaction has failed before.
        case aborted
        case other
    }

    package var kind: Kind
    package var message: String
    /// The database's own code.
    package var code: String

    package init(_ kind: Kind, _ message: String, code: String = "") {
        self.kind = kind
        self.message = message
        self.code = code
    }

    package var description: String { code.isEmpty ? message : "\(message) (\(code))" }

    /// - Returns: `nil` for an error that comes from no database.
    package init?(_ error: any Error) {
        switch error {
        case let error as DatabaseError: self = error
        case let error as GRDB.DatabaseError: self.init(error)
        case let error as PostgresError: self.init(error)
        default: return nil
        }
    }

    private init(_ error: GRDB.DatabaseError) {
        let kind: Kind =
            switch (error.resultCode, error.extendedResultCode) {
            case (_, .SQLITE_CONSTRAINT_UNIQUE), (_, .SQLITE_CONSTRAINT_PRIMARYKEY): .taken
            case (.SQLITE_CONSTRAINT, _): .constraint
            case (.SQLITE_FULL, _): .diskFull
            case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _): .locked
            case (.SQLITE_READONLY, _), (.SQLITE_PERM, _): .readOnly
            case (.SQLITE_IOERR, _): .inputOutput
            case (.SQLITE_CANTOPEN, _): .cannotOpen
            case (.SQLITE_NOMEM, _): .noMemory
            case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _): .damaged
            case (.SQLITE_MISMATCH, _): .mismatch
            default: .other
            }
        self.init(kind, error.message ?? "\(error)", code: "\(error.extendedResultCode)")
    }

    /// Classes of `SQLSTATE`: PostgreSQL's documentation, appendix A.
    private init(_ error: PostgresError) {
        let kind: Kind =
            if error.isConnectionLost {
                .lost
            } else {
                switch error.state {
                case "23505": .taken
                case let state where state.hasPrefix("23"): .constraint
                case "53100": .diskFull
                case "53200": .noMemory
                case "55P03", "40P01", "40001": .locked
                case "25006": .readOnly
                case "25P02": .aborted
                case "58030": .inputOutput
                case "XX001", "XX002": .damaged
                default: .other
                }
            }
        self.init(kind, error.message, code: error.state)
    }
}
