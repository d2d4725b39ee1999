import Foundation
import Model

/// One of the servers that work on a database.
package struct WorkingServer: Sendable, Hashable, Identifiable {
    /// New at each start.
    package var id: UUID
    /// What its operator calls it.
    package var name: String
    package var host: String
    /// The machine and the namespace that the process belongs to; empty if nobody knows.
    package var machine: String
    package var process: Int32
    /// Where it listens; `nil` until it does.
    package var address: String?
    package var version: String
    package var roles: Set<ServerRole>
    /// By the database's clock, like `seenAt`.
    package var startedAt: Date
    /// When it gave its last sign of life.
    package var seenAt: Date
    /// How long ago that was when it was read, in seconds.
    package var silence: TimeInterval
    /// How much its clock is ahead of the database's, in seconds.
    package var clockOffset: TimeInterval
    package var report: ServerReport

    package init(
        id: UUID,
        name: String,
        host: String,
        machine: String = "",
        process: Int32,
        address: String? = nil,
        version: String,
        roles: Set<ServerRole> = .all,
        startedAt: Date,
        seenAt: Date,
        silence: TimeInterval = 0,
        clockOffset: TimeInterval,
        report: ServerReport
    ) {
        self.id = id
        self.name = name
        self.host = host
        self.machine = machine
        self.process = process
        self.address = address
        self.version = version
        self.roles = roles
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.silence = silence
        self.clockOffset = clockOffset
        self.report = report
    }
}

extension WorkingServer {
    /// A clock that differs from the database's by more seconds than this is said to be off.
    package static let clockTolerance: TimeInterval = 2
    /// How many seconds two clocks may be apart: what one server has claimed is left to it for that much longer
    /// by the others. A server whose clock is further from the database's does not start.
    package static let clockLimit: TimeInterval = 60
    /// For how many seconds a server that works is silent at the most: it gives a sign of life every two.
    package static let usualSilence: TimeInterval = 5

    package var isClockOff: Bool { abs(clockOffset) > Self.clockTolerance }
    package var isSilent: Bool { silence > Self.usualSilence }
}

/// What a server says of itself with each sign of life.
package struct ServerReport: Sendable, Hashable {
    /// Whether it does what only one of several servers does.
    package var leads: Bool
    /// Whether all users are in its memory.
    package var isReady: Bool
    /// How long ago its columns last had everything that was stored, in seconds.
    package var audienceLag: TimeInterval
    /// Number of users in its memory.
    package var users: Int
    /// Number of pushes that it has claimed and that have no outcome yet.
    package var pushesInFlight: Int
    /// Up to where its columns have read; `nil` before they are there.
    package var followed: ChangeCursor?

    package init(
        leads: Bool = false,
        isReady: Bool = false,
        audienceLag: TimeInterval = 0,
        users: Int = 0,
        pushesInFlight: Int = 0,
        followed: ChangeCursor? = nil
    ) {
        self.leads = leads
        self.isReady = isReady
        self.audienceLag = audienceLag
        self.users = users
        self.pushesInFlight = pushesInFlight
        self.followed = followed
    }
}
