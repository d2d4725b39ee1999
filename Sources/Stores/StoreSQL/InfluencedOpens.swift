import Foundation
import Model
import Relational

/// Influenced opens, which belong to a user and a send: the first session, on any device, that
/// follows the arrival of the push within its window, if the user opened the push directly on no
/// device.
///
/// They are updated in the dispatches as facts arrive, in any order; `recompute` derives the same
/// result from the rows. If the push arrived on several devices, the one with the lowest id carries
/// the mark. Marks of sessions whose rows were removed stay as they are, and so do all of a send that is
/// closed.
struct InfluencedOpens {
    /// The arrival of a push on a device: when the device reported it, or when the provider
    /// accepted it if no receipt can arrive.
    private struct Arrival: Hashable {
        var send: Int64
        var device: Int64
        var time: Int64

        init(row: Row) {
            (send, device, time) = (row[0], row[1], row[2])
        }
    }

    /// The influenced open of a send: the time of the session, on the device that carries it.
    struct Mark: Hashable {
        var device: Int64
        var time: Int64
    }

    /// A device to which a send was addressed.
    private struct Place {
        var device: Int64
        var isOpened: Bool
        var mark: Mark?

        init(row: Row) {
            let device: Int64 = row[0]
            self.device = device
            isOpened = row[1]
            mark = (row[2] as Int64?).map { Mark(device: device, time: $0) }
        }
    }

    private let profile: ProfileID
    private let database: Database

    init(of profile: ProfileID, _ database: Database) {
        self.profile = profile
        self.database = database
    }

    /// Adds a session of the user that is already stored.
    func addSession(at time: Int64) throws {
        guard let session = try UserSessions(of: profile, database).add(at: time) else {
            return try recompute()
        }
        let arrivals = try arrivals(from: time - session.window, to: time)
        for (send, arrivals) in Dictionary(grouping: arrivals, by: \.send) {
            try mark(send, devices: arrivals.map(\.device), at: time)
        }
    }

    /// Adds the arrival of a push.
    func addArrival(of send: Int64, device: Int64, at time: Int64) throws {
        let later = try UserSessions(of: profile, database).since(time)
        guard let session = later.first(where: { $0.isInfluenced(by: time) }) else { return }
        try mark(send, devices: [device], at: session.time)
    }

    /// Adds a direct open, which takes precedence over the influenced one.
    func addDirectOpen(of send: Int64) throws { try removeMark(of: send) }

    func removeMark(of send: Int64) throws {
        try database.cachedStatement(
            sql: """
                UPDATE \(OpenSends.rowsOfUser) SET influenced_at = NULL
                WHERE send_id = ? AND profile_id = ? AND influenced_at IS NOT NULL
                """
        ).execute(arguments: [send, profile.rawValue])
    }

    /// Recomputes the influenced opens of all pushes that have arrived.
    func recompute() throws {
        for (send, mark) in try corrections() {
            try removeMark(of: send)
            if let mark { try set(mark, of: send) }
        }
    }

    /// The pushes that have arrived and whose marks are not what the rows tell, with the right ones.
    func corrections() throws -> [(send: Int64, mark: Mark?)] {
        let arrivals = try arrivals(from: .min, to: .max)
        guard !arrivals.isEmpty else { return [] }
        let sessions = try UserSessions(of: profile, database).all()
        let removed = try RemovedSessions(database).sum(of: profile)
        return try Dictionary(grouping: arrivals, by: \.send).compactMap { send, arrivals in
            let places = try places(of: send)
            let first = sessions.first { session in
                arrivals.contains { session.isInfluenced(by: $0.time) }
            }
            let stored = places.compactMap(\.mark)
            let settled = removed.flatMap { removed in
                stored.filter { $0.time <= removed.last }
                    .min { ($0.time, $0.device) < ($1.time, $1.device) }
            }
            let influenced = first.flatMap { first in
                let devices = arrivals.filter { first.isInfluenced(by: $0.time) }.map(\.device)
                return Self.mark(places, devices: devices, at: first.time)
            }
            let mark = places.contains(where: \.isOpened) ? nil : settled ?? influenced
            return stored == (mark.map { [$0] } ?? []) ? nil : (send, mark)
        }
    }

    private func arrivals(from start: Int64, to end: Int64) throws -> [Arrival] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT send_id, device_id, time FROM push_interactions
                    WHERE profile_id = ?1 AND time BETWEEN ?2 AND ?3 AND kind = 'received'
                    UNION ALL
                    SELECT send_id, device_id, time FROM removed_push_arrivals
                    WHERE profile_id = ?1 AND time BETWEEN ?2 AND ?3
                    UNION ALL
                    SELECT send_id, device_id, accepted_at FROM dispatches
                    WHERE profile_id = ?1 AND is_unreported = 1
                        AND accepted_at IS NOT NULL AND accepted_at BETWEEN ?2 AND ?3
                    """
            ),
            arguments: [profile.rawValue, start, end]
        ).map(Arrival.init(row:))
    }

    /// - Parameter devices: The devices on which the push arrived in time for the session.
    private func mark(_ send: Int64, devices: [Int64], at time: Int64) throws {
        let places = try places(of: send)
        guard let mark = Self.mark(places, devices: devices, at: time) else { return }
        if let stored = places.lazy.compactMap(\.mark).first {
            guard (mark.time, mark.device) < (stored.time, stored.device) else { return }
            try removeMark(of: send)
        }
        try set(mark, of: send)
    }

    private static func mark(_ places: [Place], devices: [Int64], at time: Int64) -> Mark? {
        let wanted = Set(devices)
        guard !places.contains(where: \.isOpened),
            let device = places.map(\.device).filter(wanted.contains).min()
        else { return nil }
        return Mark(device: device, time: time)
    }

    /// None if the send is closed.
    private func places(of send: Int64) throws -> [Place] {
        try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT device_id, opened_at IS NOT NULL, influenced_at
                    FROM \(OpenSends.rowsOfUser)
                    WHERE send_id = ? AND profile_id = ? AND NOT \(ClosedLedgers.isClosed)
                    """
            ),
            arguments: [send, profile.rawValue]
        ).map(Place.init(row:))
    }

    private func set(_ mark: Mark, of send: Int64) throws {
        try database.cachedStatement(
            sql: "UPDATE dispatches SET influenced_at = ? WHERE send_id = ? AND device_id = ?"
        ).execute(arguments: [mark.time, send, mark.device])
    }
}
