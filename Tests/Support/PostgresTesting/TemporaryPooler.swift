import Foundation
import PostgresClient

/// A pgbouncer before the ``TemporaryPostgres`` of a process, which gives each transaction another connection: made
/// when the first test asks, gone when the process ends.
package final class TemporaryPooler: Sendable {
    private let folder: String
    /// The pooler stops when this end of a pipe closes, however this process ends.
    private let lifeline: FileHandle

    private static let port = 6432

    /// Whether this machine has the program; tests are skipped where it has not.
    package static let isInstalled: Bool =
        TemporaryPostgres.isInstalled && program != nil

    private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static let pooler = Result { try TemporaryPooler(TemporaryPostgres.shared()) }

    /// The pooler of this process.
    package static func shared() throws -> TemporaryPooler { try pooler.get() }

    private init(_ server: TemporaryPostgres) throws {
        guard let program = Self.program else {
            throw TemporaryPostgresError("pgbouncer is not installed")
        }
        folder = server.folder.path
        let input = Pipe()
        let output = Pipe()
        lifeline = input.fileHandleForWriting
        // A child of another test would keep the pooler alive.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            TemporaryPostgres.asUser
            + ["sh", "-c", Self.script, "sh", program, folder, String(Self.port)]
        process.currentDirectoryURL = server.folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()
        try output.waitUntilReady("pgbouncer")
    }

    /// Few connections for many clients, so that hardly a transaction has the one of the transaction before.
    private static let script = """
        trap '' INT HUP TERM
        cat >"$2/pgbouncer.ini" <<END
        [databases]
        * = host=$2 user=postgres
        [pgbouncer]
        unix_socket_dir = $2
        listen_port = $3
        auth_type = any
        admin_users = postgres
        pool_mode = transaction
        default_pool_size = 4
        max_client_conn = 2000
        server_round_robin = 1
        logfile = $2/pgbouncer.log
        END
        "$1" "$2/pgbouncer.ini" >/dev/null 2>&1 </dev/null &
        until [ -S "$2/.s.PGSQL.$3" ]; do
            kill -0 $! 2>/dev/null || { cat "$2/pgbouncer.log"; exit 1; }
            sleep 0.02
        done
        echo ready
        exec >/dev/null 2>&1
        cat
        # One in the background ignores INT and QUIT, and newer ones wait for their clients at TERM.
        kill -KILL $!
        """

    /// Where the pooler has a database of the server.
    ///
    /// - Parameter database: The address of one that ``TemporaryPostgres`` has made.
    package func address(of database: String) -> String {
        guard let slash = database.lastIndex(of: "/") else { return database }
        return "\(database[..<slash]):\(Self.port)\(database[slash...])"
    }

    /// Ends the connections of a database, and lets no new one through until ``release(_:)``: they wait.
    ///
    /// - Parameter database: The address of one that ``TemporaryPostgres`` has made.
    package func hold(_ database: String) throws { try manage("KILL", database) }

    package func release(_ database: String) throws { try manage("RESUME", database) }

    private func manage(_ command: String, _ database: String) throws {
        guard let slash = database.lastIndex(of: "/") else { return }
        let console = address(of: "\(database[..<slash])/pgbouncer")
        var options = PostgresOptions()
        // Whether it can be written is asked of databases only.
        options.acceptsStandby = true
        try PostgresConnection(console, application: "tests", options: options)
            .run(script: "\(command) \(database[slash...].dropFirst())")
    }
}
