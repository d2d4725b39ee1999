import Foundation

/// PostgreSQL's programs on this machine.
enum PostgresPrograms {
    /// The folder with `initdb` and `pg_ctl` of the newest version; `nil` where there is none.
    static let folder: String? = {
        let files = FileManager.default
        let root = "/usr/lib/postgresql"
        // Debian keeps each version's programs out of PATH.
        let versions = (try? files.contentsOfDirectory(atPath: root)) ?? []
        let debian = versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }
            .map { "\(root)/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = debian + path.split(separator: ":").map(String.init)
        return folders.first { folder in
            ["initdb", "pg_ctl", "postgres"].allSatisfy {
                files.isExecutableFile(atPath: "\(folder)/\($0)")
            }
        }
    }()

    /// Whose server it is: PostgreSQL does not run as root.
    static let user: UserAccount? = {
        guard geteuid() == 0 else { return nil }
        return UserAccount("postgres") ?? UserAccount("nobody")
    }()
}

/// An account of this machine.
struct UserAccount {
    let name: String
    let user: uid_t
    let group: gid_t

    init?(_ name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.name = name
        user = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
    }
}
