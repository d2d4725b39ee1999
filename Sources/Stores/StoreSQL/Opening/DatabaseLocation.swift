/// Where a workspace's database is, as settings and commands name it: `sqlite:FILE` or a file's path,
/// `postgres://…`, or `postgres:` with libpq's `host=… dbname=…` behind it.
package enum DatabaseLocation: Sendable, Hashable {
    /// The path of an SQLite file.
    case file(String)
    /// A `postgres://` address or libpq's `keyword=value` pairs; it may hold a password.
    case postgres(String)

    package init(_ text: String) {
        if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            self = .postgres(text)
        } else if text.hasPrefix("postgres:") {
            self = .postgres(String(text.dropFirst("postgres:".count)))
        } else if text.hasPrefix("sqlite:") {
            self = .file(String(text.dropFirst("sqlite:".count)))
        } else {
            self = .file(text)
        }
    }

    /// The path of the file; `nil` if it is a database of PostgreSQL.
    package var path: String? {
        switch self {
        case .file(let path): path
        case .postgres: nil
        }
    }

    /// What libpq connects with; `nil` of a file.
    var address: String? {
        switch self {
        case .file: nil
        case .postgres(let address): address
        }
    }

    /// For people and logs: without a user and a password.
    package var name: String {
        switch self {
        case .file(let path): path
        case .postgres(let address): PostgresAddress(address).name
        }
    }
}

extension DatabaseLocation: CustomStringConvertible {
    /// The name, so that no message tells a password.
    package var description: String { name }
}
