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

extension PostgresValue {
    /// The whole numbers from `first` to `last`; none where that comes before.
    static func integers(_ first: Int, to last: Int) -> [PostgresValue] {
        guard first <= last else { return [] }
        return (first...last).map { .integer(Int64($0)) }
    }
}
