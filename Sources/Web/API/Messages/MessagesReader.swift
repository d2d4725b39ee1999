import Foundation
import Ingestion
import Model
import NoroshiWire

/// Reads the object `messages` of a request: one message per named platform.
struct MessagesReader {
    private static let names: [(name: String, platform: MessagePlatform)] = [
        ("apple_push", .ios), ("android_push", .android), ("web_push", .web),
    ]

    private(set) var messages: [MessagePlatform: PlatformMessage] = [:]
    /// The campaign variant of the messages; `nil` if they name none.
    private(set) var variation: String?
    /// The platforms on which only a user's most recently used device gets it.
    private(set) var latestDeviceOnly: [MessagePlatform] = []
    /// Fields of Braze's API that are ignored here.
    private(set) var unused: [String] = []

    init(_ value: JSONValue?, now: Date) throws(FieldProblem) {
        guard let objects = value?.objectValue, !objects.isEmpty else {
            throw FieldProblem("messages", .noMessage)
        }
        for key in objects.keys.sorted() {
            guard let platform = Self.names.first(where: { $0.name == key })?.platform else {
                throw FieldProblem("messages.\(key)", .notSupported)
            }
            let object = try PushObject(objects[key] ?? .null, name: key)
            messages[platform] = try read(object, platform, now)
            if try object.flag("send_to_most_recent_device_only") ?? false {
                latestDeviceOnly.append(platform)
            }
            guard let named = try object.text("message_variation_id") else { continue }
            guard variation == nil || variation == named else {
                throw object.problem("message_variation_id", .oneVariant)
            }
            variation = named
        }
    }

    private mutating func read(
        _ object: PushObject,
        _ platform: MessagePlatform,
        _ now: Date
    ) throws(FieldProblem) -> PlatformMessage {
        switch platform {
        case .ios:
            let reader = ApplePushReader(object)
            return PlatformMessage(try reader.message(), options: try reader.options())
        case .android:
            unused += object.paths(of: AndroidPushReader.unused)
            let reader = AndroidPushReader(object, now: now)
            return PlatformMessage(try reader.message(), options: try reader.options())
        case .web:
            unused += object.paths(of: WebPushReader.unused)
            let reader = WebPushReader(object, now: now)
            return PlatformMessage(try reader.message(), options: try reader.options())
        }
    }

    /// Sets these messages in a send: platforms without one get nothing.
    func write(to content: inout SendContent) {
        let given = Self.names.map(\.platform).filter { messages[$0] != nil }
        guard let first = given.first, let main = messages[first] else { return }
        content.message = main.message
        content.options = main.options
        let others = messages.filter { $0.key != first }
        content.platforms = others.isEmpty ? nil : others
        content.onlyPlatforms = given
        content.latestDeviceOnly = latestDeviceOnly.isEmpty ? nil : latestDeviceOnly
    }

    /// The remarks on ignored fields, for `errors` in the response.
    var remarks: [JSONValue] {
        unused.map { ["field": .string($0), "message": "is not used by this version"] }
    }
}
