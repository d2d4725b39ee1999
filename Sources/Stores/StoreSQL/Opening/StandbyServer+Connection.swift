import Foundation
import Ports
import Relational

/// A server that waits is known by the name of a connection that it keeps open: with the server that name is
/// gone, however it ends, and nothing has to be written by one that has no right to write.
extension StandbyServer {
    private static let prefix = "standby"

    /// What the connection is called behind the product's name. PostgreSQL keeps 63 bytes of all.
    var connectionName: String { "\(Self.prefix) \(version) \(process) \(port) \(host)" }

    init?(application: String, since: Double) {
        // A host that does not know its name is "an unknown host".
        let words = application.split(separator: " ", maxSplits: 5)
        guard words.count == 6, words[0] == "noroshi", words[1] == Self.prefix,
            let process = Int32(words[3]), let port = Int(words[4])
        else { return nil }
        self.init(
            host: String(words[5]),
            process: process,
            port: port,
            version: String(words[2]),
            since: Date(timeIntervalSince1970: since)
        )
    }

    /// Those that wait for this database, the one that came first leading.
    static func all(_ database: Database) throws -> [StandbyServer] {
        guard database.kind == .postgres else { return [] }
        return try Row.fetchAll(
            database,
            sql: """
                SELECT application_name, date_part('epoch', backend_start) AS since
                FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'noroshi standby %'
                ORDER BY backend_start, pid
                """
        ).compactMap { StandbyServer(application: $0["application_name"], since: $0["since"]) }
    }
}
