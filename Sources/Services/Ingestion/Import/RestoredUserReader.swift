import Foundation
import Model
import NoroshiWire
import Ports

/// Reads and writes the data about a user in an export, besides the attributes.
package enum RestoredUserReader {
    /// The names of an export's columns that are not attributes.
    package static let columns = [
        "session_count", "created_at", "first_session_at", "last_session_at", "anonymous_id",
        "user_aliases", "devices",
    ]

    /// `nil` for a row that was not written by an export of Noroshi.
    static func user(_ row: [String: JSONValue]) throws(FieldProblem) -> RestoredUser? {
        guard let id = uuid(row["braze_id"]), let createdAt = time(row["created_at"]),
            let sessions = row["session_count"]?.integerValue.flatMap(Int.init(exactly:))
        else { return nil }
        var user = RestoredUser(publicID: id, createdAt: createdAt)
        user.anonymousID = uuid(row["anonymous_id"])
        user.sessionCount = sessions
        user.firstSessionAt = time(row["first_session_at"])
        user.lastSessionAt = time(row["last_session_at"])
        for alias in row["user_aliases"]?.arrayValue ?? [] {
            guard case .alias(let name, let label) = try UserIdentifier.alias(alias) else {
                continue
            }
            user.aliases.append(UserAlias(name: name, label: label))
        }
        for (index, value) in (row["devices"]?.arrayValue ?? []).enumerated() {
            guard let device = device(value) else {
                throw FieldProblem("devices.\(index)", .noExportedDevice)
            }
            user.devices.append(device)
        }
        return user
    }

    private static func device(_ value: JSONValue) -> RestoredUser.OwnDevice? {
        func text(_ name: String) -> String? { value[name]?.stringValue }
        guard let installation = uuid(value["id"]), let app = text("app"),
            let platform = text("platform"), let updatedAt = time(value["updated_at"])
        else { return nil }
        var device = Device(
            id: DeviceID(0),
            installation: installation,
            app: AppID(0),
            profile: ProfileID(0),
            platform: platform,
            updatedAt: updatedAt
        )
        device.model = text("model")
        device.osVersion = text("os_version")
        device.appVersion = text("app_version")
        device.sdkVersion = text("sdk_version")
        device.locale = text("locale")
        device.timeZone = text("time_zone")
        if let push = value["push"] {
            guard let provider = push["provider"]?.stringValue.flatMap(PushProvider.init),
                let token = push["token"]?.stringValue,
                let authorization = push["authorization"]?.stringValue
                    .flatMap(PushAuthorization.init),
                let registeredAt = time(push["registered_at"])
            else { return nil }
            device.push = PushRegistration(
                provider: provider,
                token: token,
                environment: push["environment"]?.stringValue.flatMap(APNsEnvironment.init),
                authorization: authorization,
                publicKey: push["public_key"]?.stringValue,
                authenticationSecret: push["authentication_secret"]?.stringValue,
                registeredAt: registeredAt
            )
        }
        return RestoredUser.OwnDevice(device, app: app)
    }

    /// The columns of a user in an export.
    package static func row(_ user: ExportedUser) -> [String: JSONValue] {
        let profile = user.profile
        var row: [String: JSONValue] = [
            "session_count": .integer(Int64(profile.sessionCount)),
            "created_at": text(profile.createdAt),
        ]
        row["first_session_at"] = profile.firstSessionAt.map(text)
        row["last_session_at"] = profile.lastSessionAt.map(text)
        row["anonymous_id"] = profile.anonymousID.map(text)
        if !user.aliases.isEmpty {
            row["user_aliases"] = .array(
                user.aliases.map {
                    ["alias_name": .string($0.name), "alias_label": .string($0.label)]
                }
            )
        }
        if !user.devices.isEmpty { row["devices"] = .array(user.devices.map(object)) }
        return row
    }

    private static func object(_ own: RestoredUser.OwnDevice) -> JSONValue {
        let device = own.device
        var object: [String: JSONValue] = [
            "id": text(device.installation), "app": .string(own.app),
            "platform": .string(device.platform), "updated_at": text(device.updatedAt),
        ]
        let texts = [
            ("model", device.model), ("os_version", device.osVersion),
            ("app_version", device.appVersion), ("sdk_version", device.sdkVersion),
            ("locale", device.locale), ("time_zone", device.timeZone),
        ]
        for (name, value) in texts { object[name] = value.map(JSONValue.string) }
        if let push = device.push {
            var registration: [String: JSONValue] = [
                "provider": .string(push.provider.rawValue), "token": .string(push.token),
                "authorization": .string(push.authorization.rawValue),
                "registered_at": text(push.registeredAt),
            ]
            registration["environment"] = (push.environment?.rawValue).map(JSONValue.string)
            registration["public_key"] = push.publicKey.map(JSONValue.string)
            registration["authentication_secret"] =
                push.authenticationSecret.map(JSONValue.string)
            object["push"] = .object(registration)
        }
        return .object(object)
    }

    private static func uuid(_ value: JSONValue?) -> UUID? {
        value?.stringValue.flatMap(UUID.init(uuidString:))
    }

    private static func time(_ value: JSONValue?) -> Date? {
        value?.stringValue.flatMap { Timestamp.parse($0) }
    }

    private static func text(_ id: UUID) -> JSONValue { .string(id.uuidString.lowercased()) }

    private static func text(_ date: Date) -> JSONValue { .string(Timestamp.format(date)) }
}
