import Foundation
import Model
import Ports
import StoreSQL

/// A server that works on a database, for those who ask on the command line.
package struct ServerLine: Encodable, Sendable {
    enum CodingKeys: String, CodingKey {
        case id, name, host, process, address, version, roles, leads, users
        case isReady = "ready"
        case startedAt = "started_at"
        case seenAt = "seen_at"
        case silence = "silent_seconds"
        case clockOffset = "clock_offset_seconds"
        case isClockOff = "clock_is_off"
        case audienceLag = "audience_lag_seconds"
        case pushesInFlight = "pushes_in_flight"
    }

    package var id: String
    package var name: String
    package var host: String
    package var process: Int32
    package var address: String?
    package var version: String
    package var roles: [String]
    /// Whether it has the columns of all users, which the roles say.
    package var keepsColumns: Bool
    package var leads: Bool
    package var isReady: Bool
    package var startedAt: String
    package var seenAt: String
    package var silence: Double
    package var clockOffset: Double
    package var isClockOff: Bool
    package var audienceLag: Double
    package var users: Int
    package var pushesInFlight: Int

    private init(_ server: WorkingServer) {
        id = server.id.uuidString.lowercased()
        name = server.name
        host = server.host
        process = server.process
        address = server.address
        version = server.version
        roles = ServerRole.allCases.filter(server.roles.contains).map(\.rawValue)
        keepsColumns = server.roles.keepsColumns
        leads = server.report.leads
        isReady = server.report.isReady
        startedAt = Timestamp.format(server.startedAt)
        seenAt = Timestamp.format(server.seenAt)
        silence = server.silence
        clockOffset = server.clockOffset
        isClockOff = server.isClockOff
        audienceLag = server.report.audienceLag
        users = server.report.users
        pushesInFlight = server.report.pushesInFlight
    }

    /// The servers of a database, the one that started first before the others.
    package static func all(in store: SQLStore) async throws -> [ServerLine] {
        try await store.servers().map(ServerLine.init)
    }
}
