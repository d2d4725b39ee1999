import Foundation

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
    /// By the database's clock, like `seenAt`.
    package var startedAt: Date
    /// When it gave its last sign of life.
    package var seenAt: Date
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
        startedAt: Date,
        seenAt: Date,
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
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.clockOffset = clockOffset
        self.report = report
    }
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
