import Audience
import Foundation
import Model
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

    /// A server that works on the database.
    package struct Server: Sendable, Hashable {
        /// What its operator calls it.
        package var name: String
        package var host: String
        package var process: Int32
        /// `nil` until it listens.
        package var port: Int?
        package var version: String
        package var roles: Set<ServerRole>
        package var since: Date
        /// Whether it does what only one of several servers does.
        package var leads: Bool
        /// Whether all users are in its memory.
        package var isReady: Bool
        /// How long ago it gave its last sign of life, in seconds.
        package var silence: TimeInterval
        /// Whether that is longer ago than usual.
        package var isSilent: Bool
        /// How much its clock is ahead of the database's, in seconds.
        package var clockOffset: TimeInterval
        /// Whether that is too much.
        package var isClockOff: Bool
        /// How long ago its columns last had everything that was stored, in seconds.
        package var audienceLag: TimeInterval
        package var users: Int
        /// Number of pushes that it has claimed and that have no outcome yet.
        package var pushesInFlight: Int

        package init(
            name: String,
            host: String,
            process: Int32,
            port: Int?,
            version: String,
            roles: Set<ServerRole> = .all,
            since: Date,
            leads: Bool,
            isReady: Bool,
            silence: TimeInterval = 0,
            isSilent: Bool = false,
            clockOffset: TimeInterval = 0,
            isClockOff: Bool = false,
            audienceLag: TimeInterval,
            users: Int,
            pushesInFlight: Int
        ) {
            self.name = name
            self.host = host
            self.process = process
            self.port = port
            self.version = version
            self.roles = roles
            self.since = since
            self.leads = leads
            self.isReady = isReady
            self.silence = silence
            self.isSilent = isSilent
            self.clockOffset = clockOffset
            self.isClockOff = isClockOff
            self.audienceLag = audienceLag
            self.users = users
            self.pushesInFlight = pushesInFlight
        }
    }

    /// The version of the server, such as `0.2.0`.
    package var version: String
    /// The one that started first is first.
    package var servers: [Server]
    /// Whether other servers may work on the database beside this one.
    package var isShared: Bool
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
        isShared: Bool,
        audience: AudienceStatus,
        databaseBytes: Int64?,
        freeBytes: Int64? = nil,
        setAside: [SetAsideRow],
        setAsideTotal: Int,
        heldSince: Date? = nil
    ) {
        self.version = version
        self.servers = servers
        self.isShared = isShared
        self.audience = audience
        self.databaseBytes = databaseBytes
        self.freeBytes = freeBytes
        self.setAside = setAside
        self.setAsideTotal = setAsideTotal
        self.heldSince = heldSince
    }
}
