import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import SyntheticAudience

/// The synthetic audience as a server's database.
enum SyntheticDatabase {
    private static let batch = 10_000

    /// Creates the file if it is missing.
    ///
    /// - Returns: How long that took, in seconds; `nil` if the file existed.
    static func fill(_ path: String, with audience: SyntheticAudience) async throws -> Double? {
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        let store = try SQLStore(path: path, synchronous: .normal)
        let start = ContinuousClock.now
        let now = Date(timeIntervalSince1970: TimeInterval(audience.now))
        let workspace = try await store.createWorkspace(name: "bench", timeZone: "UTC", now: now)
        let app = try await store.createApp(
            AppDraft(name: "demo", platform: "ios", bundleID: "demo", sdkKey: "bench"),
            in: workspace,
            noting: nil,
            now: now
        )
        for start in stride(from: 0, to: audience.users, by: batch) {
            let numbers = start..<min(start + batch, audience.users)
            let rows = numbers.map(audience.profile)
            let ids = try await store.insert(rows.map { profile($0, in: workspace, now) })
            var devices: [Device] = []
            for (number, id) in zip(numbers, ids) {
                for device in audience.user(number).devices {
                    devices.append(Self.device(device, id, app.id, now))
                }
            }
            try await store.insert(devices, in: workspace)
        }
        let names = SyntheticAudience.eventNames
        for start in stride(from: 0, to: audience.events, by: 4 * batch) {
            var events: [BulkEvent] = []
            audience.forEachEvent(in: start..<min(start + 4 * batch, audience.events)) { event in
                let row = audience.occurrence(event)
                events.append(
                    BulkEvent(
                        profile: ProfileID(row.profile),
                        name: names[event.name],
                        time: Date(timeIntervalSince1970: TimeInterval(event.time)),
                        properties: row.properties.mapValues(json)
                    )
                )
            }
            try await store.insert(events, in: workspace)
        }
        return (ContinuousClock.now - start).inSeconds
    }

    private static func profile(
        _ row: AudienceProfile,
        in workspace: WorkspaceID,
        _ now: Date
    ) -> Profile {
        func date(_ seconds: Int64?) -> Date? {
            seconds.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        }
        var profile = Profile(
            id: ProfileID(0),
            workspace: workspace,
            publicID: UUID(),
            externalID: row.externalID,
            anonymousID: nil,
            createdAt: date(row.createdAt) ?? now
        )
        profile.standard[.firstName] = row.firstName.map(JSONValue.string)
        profile.standard[.lastName] = row.lastName.map(JSONValue.string)
        profile.standard[.email] = row.email.map(JSONValue.string)
        profile.standard[.gender] = row.gender.map(JSONValue.string)
        profile.standard[.dateOfBirth] = row.dateOfBirth.map { .string(day($0)) }
        profile.standard[.country] = row.country.map(JSONValue.string)
        profile.standard[.language] = row.language.map(JSONValue.string)
        profile.standard[.homeCity] = row.homeCity.map(JSONValue.string)
        profile.standard[.timeZone] = row.timeZone.map(JSONValue.string)
        profile.standard[.pushSubscription] = row.pushSubscription.map(JSONValue.string)
        profile.standard[.emailSubscription] = row.emailSubscription.map(JSONValue.string)
        profile.custom = row.custom.mapValues(json)
        profile.sessionCount = row.sessionCount
        profile.lastSessionAt = date(row.lastSessionAt)
        return profile
    }

    private static func device(
        _ row: SyntheticUser.Device,
        _ profile: ProfileID,
        _ app: AppID,
        _ now: Date
    ) -> Device {
        var device = Device(
            id: DeviceID(0),
            installation: UUID(),
            app: app,
            profile: profile,
            platform: row.platform,
            updatedAt: now
        )
        device.push = PushRegistration(
            provider: row.platform == "ios" ? .apns : .fcm,
            token: row.token,
            authorization: .authorized,
            registeredAt: now
        )
        return device
    }

    private static func json(_ value: AttributeValue) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .number(let number):
            Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
        case .integer(let integer): .integer(integer)
        case .bool(let bool): .bool(bool)
        case .time(let seconds):
            .string(Timestamp.format(Date(timeIntervalSince1970: TimeInterval(seconds))))
        case .array(let elements): .array(elements.map(json))
        case .object(let members): .object(members.mapValues(json))
        }
    }

    private static func day(_ seconds: Int64) -> String {
        String(
            Timestamp.format(Date(timeIntervalSince1970: TimeInterval(seconds))).prefix(10)
        )
    }
}
