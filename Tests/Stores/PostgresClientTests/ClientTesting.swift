import PostgresClient
import PostgresTesting
import Testing

/// The tests that need a server; skipped where PostgreSQL is not installed.
@Suite(
    .enabled(
        if: TemporaryPostgres.isInstalled,
        "PostgreSQL's programs or libpq are not installed on this machine"
    )
)
enum PostgresClientTests {
    private static let database = Result { try TemporaryPostgres.shared().makeDatabase() }

    /// A connection to the database that these tests share; they write into temporary tables.
    static func connect(_ options: PostgresOptions = PostgresOptions()) throws -> PostgresConnection
    {
        try PostgresConnection(address(), application: "tests", options: options)
    }

    static func address() throws -> String {
        try database.get()
    }
}
