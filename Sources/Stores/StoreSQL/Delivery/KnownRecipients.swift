import Foundation
import GRDB
import GRDBSQLite
import Model
import Synchronization

/// Devices and users as they were read for a message, on the one connection of a store that is thrown away:
/// there everybody gets a message again and again, and reading and parsing them is much of its cost.
///
/// SQLite tells of each row that is written, so nothing here is older than the database.
final class KnownRecipients: Sendable {
    private struct State {
        var devices: [Int64: Device] = [:]
        var profiles: [Int64: Profile] = [:]
    }

    /// Maximum number of devices and of users.
    private static let limit = 50_000

    private let state = Mutex(State())

    /// Hears of all that the connection writes; it has to live as long as the connection does.
    func follow(_ database: GRDB.Database) {
        sqlite3_update_hook(
            database.sqliteConnection,
            { known, _, _, table, row in
                guard let known, let table else { return }
                let recipients = Unmanaged<KnownRecipients>.fromOpaque(known).takeUnretainedValue()
                if strcmp(table, "devices") == 0 {
                    recipients.forget(device: row)
                } else if strcmp(table, "profiles") == 0 {
                    recipients.forget(profile: row)
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// - Returns: `nil` unless both are known.
    func recipient(with device: Int64) -> (profile: Profile, device: Device)? {
        state.withLock { state in
            guard let device = state.devices[device],
                let profile = state.profiles[device.profile.rawValue]
            else { return nil }
            return (profile, device)
        }
    }

    func add(_ profile: Profile, _ device: Device) {
        state.withLock { state in
            if state.devices.count >= Self.limit { state = State() }
            state.devices[device.id.rawValue] = device
            state.profiles[profile.id.rawValue] = profile
        }
    }

    /// For what was undone, of which SQLite does not tell.
    func removeAll() { state.withLock { $0 = State() } }

    private func forget(device: Int64) {
        state.withLock { _ = $0.devices.removeValue(forKey: device) }
    }

    private func forget(profile: Int64) {
        state.withLock { _ = $0.profiles.removeValue(forKey: profile) }
    }
}
