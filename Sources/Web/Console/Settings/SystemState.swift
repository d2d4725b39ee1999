import Audience
import Foundation
import Reasons

/// The state of the server and its database, for an operator.
package struct SystemState: Sendable, Hashable {
    /// A stored row that cannot be read.
    package struct SetAsideRow: Sendable, Hashable {
        package var table: String
        package var number: Int64
        package var reason: Reason

        package init(table: String, number: Int64, reason: Reason) {
            self.table = table
            self.number = number
            self.reason = reason
        }
    }

    /// A server of the database.
    package struct Server: Sendable, Hashable {
        /// Whether it works; the others wait for that one.
        package var isWorking: Bool
        package var host: String
        package var process: Int32
        /// `nil` until it listens.
        package var port: Int?
        package var version: String
        /// Since when it works or waits.
        package var since: Date

        package init(
            isWorking: Bool,
            host: String,
            process: Int32,
            port: Int?,
            version: String,
            since: Date
        ) {
            self.isWorking = isWorking
            self.host = host
            self.process = process
            self.port = port
            self.version = version
            self.since = since
        }
    }

    /// The version of the server, such as `0.2.0`.
    package var version: String
    /// The one that works first.
    package var servers: [Server]
    /// How much of the audience is in memory.
    package var audience: AudienceStatus
    /// The size of the database with its log, in bytes; `nil` if there is no file.
    package var databaseBytes: Int64?
    /// The part of it that removed rows have left for the next ones.
    package var freeBytes: Int64?
    /// The first unreadable rows met since the start.
    package var setAside: [SetAsideRow]
    package var setAsideTotal: Int
    /// Since when nothing is sent, as after a restore; `nil` if it is.
    package var heldSince: Date?

    package init(
        version: String,
        servers: [Server],
        audience: AudienceStatus,
        databaseBytes: Int64?,
        freeBytes: Int64? = nil,
        setAside: [SetAsideRow],
        setAsideTotal: Int,
        heldSince: Date? = nil
    ) {
        self.version = version
        self.servers = servers
        self.audience = audience
        self.databaseBytes = databaseBytes
        self.freeBytes = freeBytes
        self.setAside = setAside
        self.setAsideTotal = setAsideTotal
        self.heldSince = heldSince
    }
}
