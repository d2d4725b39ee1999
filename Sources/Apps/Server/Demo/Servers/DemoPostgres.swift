import Foundation
import Reasons

/// A PostgreSQL for a demo with several servers, gone with it.
final class DemoPostgres: Sendable {
    private let folder: URL
    private let process: CompanionProcess

    /// Makes a cluster and starts it.
    ///
    /// - Throws: `SettingError` if PostgreSQL is not installed or does not start.
    init() async throws {
        guard let programs = Self.programs else {
            throw SettingError("servers", .noPostgres)
        }
        // A socket's path has at most 107 bytes.
        folder = URL(filePath: "/tmp/noroshi-demo-\(UUID().uuidString.prefix(8).lowercased())")
        let files = FileManager.default
        try files.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        var user: [String] = []
        if geteuid() == 0 {
            // PostgreSQL does not work for the administrator; its package has made an account.
            guard let account = getpwnam("postgres")?.pointee,
                chown(folder.path, account.pw_uid, account.pw_gid) == 0
            else { throw SettingError("servers", .noPostgres) }
            user = ["setpriv", "--reuid=\(account.pw_uid)", "--regid=\(account.pw_gid)"]
            user.append("--clear-groups")
        }
        let script = """
            "$1/initdb" --pgdata="$2/data" --username=postgres --auth=trust --encoding=UTF8 \
            --locale=C --no-sync && exec "$1/postgres" -D "$2/data" -c listen_addresses= \
            -c unix_socket_directories="$2" -c max_connections=200 -c fsync=off
            """
        process = try CompanionProcess(
            ["sh", "-c", script, "sh", programs, folder.path],
            as: user,
            in: folder,
            log: "postgres.log",
            // Whoever is still connected is sent away.
            signal: "INT"
        )
        let ready = folder.appending(path: "data/postmaster.pid")
        for _ in 0..<600 {
            let text = try? String(contentsOf: ready, encoding: .utf8)
            if text?.contains("\nready") == true { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        let log = try? String(contentsOf: folder.appending(path: "postgres.log"), encoding: .utf8)
        stop()
        throw SettingError(
            "servers",
            .companion,
            ["program": "PostgreSQL", "log": .text(String((log ?? "").suffix(500)))]
        )
    }

    var address: String {
        "postgresql://postgres@\(folder.path.replacing("/", with: "%2F"))/postgres"
    }

    func stop() {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The folder with the programs of the newest version; Debian keeps each version's out of PATH.
    private static var programs: String? {
        let files = FileManager.default
        let root = "/usr/lib/postgresql"
        let versions = (try? files.contentsOfDirectory(atPath: root)) ?? []
        let debian = versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
            .map { "\(root)/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (debian + path.split(separator: ":").map(String.init)).first { folder in
            ["initdb", "postgres"].allSatisfy { files.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }
}
