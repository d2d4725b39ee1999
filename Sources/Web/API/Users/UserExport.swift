import Foundation
import Model
import NoroshiWire
import Ports

/// A user as an export shows them.
struct UserExport {
    private let profile: Profile
    private let record: UserRecord
    private let apps: [AppID: App]

    init(_ profile: Profile, _ record: UserRecord, apps: [AppID: App]) {
        self.profile = profile
        self.record = record
        self.apps = apps
    }

    var json: [String: JSONValue] {
        var user: [String: JSONValue] = [
            "created_at": .string(Timestamp.format(profile.createdAt)),
            "external_id": profile.externalID.map(JSONValue.string) ?? .null,
            "braze_id": .string(profile.publicID.uuidString.lowercased()),
            "user_aliases": .array(
                record.aliases.map {
                    ["alias_name": .string($0.name), "alias_label": .string($0.label)]
                }
            ),
            "push_subscribe": .string(profile.pushSubscription.rawValue),
            "custom_attributes": .object(profile.custom),
            "custom_events": .array(record.events.map(Self.activity)),
            "purchases": .array(record.purchases.map(Self.activity)),
            "devices": .array(record.devices.map(device)),
            "push_tokens": .array(record.devices.compactMap(pushToken)),
            "apps": .array(record.devices.map(app)),
            "session_count": .integer(Int64(profile.sessionCount)),
        ]
        for (attribute, value) in profile.standard {
            if attribute == .currentLocation, let longitude = value["longitude"],
                let latitude = value["latitude"]
            {
                user["last_coordinates"] = [longitude, latitude]
            } else {
                user[attribute.rawValue] = value
            }
        }
        if let time = profile.firstSessionAt {
            user["date_of_first_session"] = .string(Timestamp.format(time))
        }
        if let time = profile.lastSessionAt {
            user["date_of_last_session"] = .string(Timestamp.format(time))
        }
        return user
    }

    private static func activity(_ activity: UserRecord.Activity) -> JSONValue {
        [
            "name": .string(activity.name), "first": .string(Timestamp.format(activity.first)),
            "last": .string(Timestamp.format(activity.last)),
            "count": .integer(Int64(activity.count)),
        ]
    }

    private func device(_ device: Device) -> JSONValue {
        [
            "model": text(device.model), "os": text(device.osVersion),
            "device_id": .string(device.installation.uuidString.lowercased()),
            "platform": .string(device.platform), "locale": text(device.locale),
            "time_zone": text(device.timeZone),
        ]
    }

    private func pushToken(_ device: Device) -> JSONValue? {
        guard let push = device.push else { return nil }
        let isEnabled = [.authorized, .provisional, .ephemeral].contains(push.authorization)
        return [
            "app": text(apps[device.app]?.name), "platform": .string(device.platform),
            "token": .string(push.token),
            "device_id": .string(device.installation.uuidString.lowercased()),
            "notifications_enabled": .bool(isEnabled),
        ]
    }

    private func app(_ device: Device) -> JSONValue {
        [
            "name": text(apps[device.app]?.name), "platform": .string(device.platform),
            "version": text(device.appVersion),
            "last_used": .string(Timestamp.format(device.updatedAt)),
        ]
    }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
