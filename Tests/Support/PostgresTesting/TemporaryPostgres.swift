import Foundation
import PostgresClient
import Synchronization

/// A PostgreSQL server for the tests of one process: made when the first one asks, gone when the process ends.
///
/// It listens on a socket in a folder of its own, and it forgets what a loss of power would take: nothing here
/// needs to survive.
package final class TemporaryPostgres: Sendable {
    let folder: URL
    /// The server stops when this end of a pipe closes, however this process ends.
    private let lifeline: FileHandle
    private let databaseCount = Atomic<Int>(0)

    /// Whether this machine has PostgreSQL's programs and libpq; tests are skipped where it has not.
    package static let isInstalled: Bool =
        PostgresPrograms.folder != nil && (try? PostgresLibrary.load()) != nil

    private static let server = Result { try TemporaryPostgres() }

    /// The server of this process, which takes a second or two at the first call.
    package static func shared() throws -> TemporaryPostgres {
        try server.get()
    }

    private init() throws {
        guard let programs = PostgresPrograms.folder else {
            throw TemporaryPostgresError("PostgreSQL's programs are not installed")
        }
        folder = try Self.makeFolder()
        let input = Pipe()
        let output = Pipe()
        lifeline = input.fileHandleForWriting
        // A child of another test would keep the server alive.
        _ = fcntl(lifeline.fileDescriptor, F_SETFD, FD_CLOEXEC)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = Self.asUser + ["sh", "-c", Self.script, "sh", programs, folder.path]
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()

        try output.waitUntilReady("PostgreSQL")
    }

    /// Makes the cluster, starts the server, and stops it when the standard input ends.
    private static let script = """
        trap '' INT HUP TERM
        "$1/initdb" --pgdata="$2/data" --username=postgres --auth=trust --encoding=UTF8 \\
            --locale=C --no-sync >"$2/initdb.log" 2>&1 || { cat "$2/initdb.log"; rm -rf "$2"; exit 1; }
        cat >>"$2/data/postgresql.conf" <<END
        listen_addresses = ''
        unix_socket_directories = '$2'
        max_connections = 400
        shared_buffers = 64MB
        fsync = off
        synchronous_commit = off
        full_page_writes = off
        wal_level = minimal
        max_wal_senders = 0
        max_wal_size = 256MB
        min_wal_size = 32MB
        checkpoint_timeout = 1h
        autovacuum = off
        END
        "$1/postgres" -D "$2/data" >"$2/server.log" 2>&1 </dev/null &
        until grep -q '^ready' "$2/data/postmaster.pid" 2>/dev/null; do
            kill -0 $! 2>/dev/null || { cat "$2/server.log"; rm -rf "$2"; exit 1; }
            sleep 0.02
        done
        echo ready
        exec >/dev/null 2>&1
        cat
        kill -QUIT $!
        wait $!
        rm -rf "$2"
        """

    static var asUser: [String] {
        guard let user = PostgresPrograms.user else { return [] }
        let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
        return isThere
            ? ["setpriv", "--reuid=\(user.user)", "--regid=\(user.group)", "--clear-groups"]
            : ["runuser", "-u", user.name, "--"]
    }

    /// In memory where there is room, because a database is hundreds of small files.
    ///
    /// The path is short: a socket's has at most 107 bytes.
    private static func makeFolder() throws -> URL {
        let parent = hasRoom("/dev/shm") ? "/dev/shm" : "/tmp"
        // `mkdtemp` puts letters of its own in the place of the six.
        var template = Array("\(parent)/postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw TemporaryPostgresError("no folder can be made in \(parent)")
        }
        let path = String(decoding: template.dropLast().map(UInt8.init), as: UTF8.self)
        if let user = PostgresPrograms.user {
            guard chown(path, user.user, user.group) == 0, chmod(path, 0o755) == 0 else {
                throw TemporaryPostgresError("\(path) cannot be given to \(user.name)")
            }
        }
        return URL(filePath: path)
    }

    /// Whether a folder can hold the databases of many tests: a container's may have 64 MB.
    private static func hasRoom(_ folder: String) -> Bool {
        var space = statvfs()
        guard statvfs(folder, &space) == 0, access(folder, W_OK) == 0 else { return false }
        return UInt64(space.f_bavail) * UInt64(space.f_frsize) > 2 << 30
    }

    // MARK: Databases

    /// Makes a database.
    ///
    /// - Parameter template: The address of a database to copy, to which nobody is connected; an empty one without it.
    /// - Returns: Its address.
    package func makeDatabase(template: String? = nil) throws -> String {
        let number = databaseCount.wrappingAdd(1, ordering: .relaxed).newValue
        let name = "test_\(number)"
        let administration = try administration()
        var sql = "CREATE DATABASE \(name)"
        if let template { sql += " TEMPLATE \(Self.name(template))" }
        // Copies files instead of writing them into the log: 20 ms for two hundred tables, not 80.
        if administration.serverVersion >= 150_000 { sql += " STRATEGY file_copy" }
        try administration.run(script: sql)
        return address(name)
    }

    /// Makes an empty database that belongs to a role with no other rights.
    ///
    /// - Returns: Its address as that role.
    package func makeDatabase(ownedBy role: String) throws -> String {
        let administration = try administration()
        let known = try administration.execute(
            "SELECT 1 FROM pg_roles WHERE rolname = $1",
            [.text(role)]
        )
        if known.count == 0 { try administration.run(script: "CREATE ROLE \(role) LOGIN") }
        let address = try makeDatabase()
        try administration.run(script: "ALTER DATABASE \(Self.name(address)) OWNER TO \(role)")
        return address.replacing("://postgres@", with: "://\(role)@")
    }

    /// Takes a database away, and ends the connections that it still has.
    package func dropDatabase(_ address: String) throws {
        try administration().run(
            script: "DROP DATABASE IF EXISTS \(Self.name(address)) WITH (FORCE)"
        )
    }

    /// Ends the connections of a database, as a server that breaks down does.
    package func endConnections(_ address: String) throws {
        _ = try administration().execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
            [.text(Self.name(address))]
        )
    }

    private func administration() throws -> PostgresConnection {
        try PostgresConnection(address("postgres"), application: "tests")
    }

    private func address(_ name: String) -> String {
        let host = folder.path.replacing("/", with: "%2F")
        return "postgresql://postgres@\(host)/\(name)"
    }

    private static func name(_ address: String) -> String {
        address.split(separator: "/").last.map(String.init) ?? address
    }
}

extension Pipe {
    /// Reads until the program says that it is ready.
    ///
    /// - Throws: What it said instead, if it has ended.
    func waitUntilReady(_ name: String) throws {
        var words = Data()
        while !words.suffix(6).elementsEqual("ready\n".utf8) {
            let part = fileHandleForReading.availableData
            guard !part.isEmpty else {
                let said = String(decoding: words, as: UTF8.self)
                throw TemporaryPostgresError("\(name) does not start: \(said)")
            }
            words.append(part)
        }
    }
}

/// Why there is no server.
package struct TemporaryPostgresError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
