import Foundation
import Ingestion
import JSON
import Model
import NoroshiWire

/// Reads an `apple_push` object.
struct ApplePushReader {
    private let object: [String: JSONValue]

    init(_ value: JSONValue) throws(FieldProblem) {
        guard let object = value.objectValue else {
            throw FieldProblem("messages.apple_push", "must be an object")
        }
        self.object = object
    }

    func message() throws(FieldProblem) -> PushMessage {
        var message = PushMessage(body: "")
        try readAlert(into: &message)
        message.isSilent = try flag("content-available") ?? false && object["alert"] == nil
        if let badge = object["badge"], badge != .null {
            guard let number = badge.integerValue, let count = Int(exactly: number) else {
                throw problem("badge", "must be a whole number; leave it out to change nothing")
            }
            message.badge = .set(count)
        }
        message.sound = try text("sound")
        message.uri = try text("custom_uri")
        message.useWebView = try flag("use_webview") ?? true
        message.threadID = try text("notification_group_thread_id")
        message.category = try text("category")
        message.isMutable = try flag("mutable_content") ?? false
        if let level = try text("interruption_level") {
            guard let known = InterruptionLevel(rawValue: level) else {
                throw problem(
                    "interruption_level",
                    "is passive, active, time-sensitive or critical"
                )
            }
            message.interruptionLevel = known
        }
        if let score = object["relevance_score"], score != .null {
            guard let number = score.doubleValue else {
                throw problem("relevance_score", "is a number from 0 to 1")
            }
            message.relevanceScore = number
        }
        if let url = try text("asset_url") {
            guard let type = try text("asset_file_type"), Self.fileTypes.contains(type) else {
                throw problem(
                    "asset_file_type",
                    "is required with asset_url: one of "
                        + Self.fileTypes.sorted().joined(separator: ", ")
                )
            }
            message.attachment = PushAttachment(url: url, type: type)
        }
        message.keyValuePairs = try extra()
        message.buttons = try buttons()
        return message
    }

    func options() throws(FieldProblem) -> DeliveryOptions {
        var options = DeliveryOptions()
        if let text = try text("expiry") {
            guard let date = Timestamp.parse(text) else {
                throw problem("expiry", "is a time in ISO 8601")
            }
            options.expiration = date
        }
        options.collapseID = try text("collapse_id")
        if let priority = object["apns_priority"], priority != .null {
            switch priority.integerValue {
            case 10: options.priority = .immediate
            case 5: options.priority = .considerate
            case 1: options.priority = .passive
            default: throw problem("apns_priority", "is 10, 5 or 1")
            }
        }
        return options
    }

    private static let fileTypes: Set<String> = [
        "aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav",
    ]

    private func readAlert(into message: inout PushMessage) throws(FieldProblem) {
        switch object["alert"] {
        case .string(let text)?:
            message.body = text
        case .object(let alert)?:
            for (key, path) in [
                ("title", \PushMessage.title), ("subtitle", \.subtitle), ("body", \.body),
            ] {
                guard let value = alert[key], value != .null else { continue }
                guard let text = value.stringValue else {
                    throw problem("alert.\(key)", "must be a string")
                }
                message[keyPath: path] = text
            }
        case nil, .null?:
            guard try flag("content-available") == true else {
                throw problem("alert", "is required unless content-available is true")
            }
        default:
            throw problem("alert", "must be a string or an object")
        }
    }

    /// Custom pairs; what is no string travels as JSON text.
    private func extra() throws(FieldProblem) -> [String: String] {
        guard let value = object["extra"], value != .null else { return [:] }
        guard let extra = value.objectValue else { throw problem("extra", "must be an object") }
        var pairs: [String: String] = [:]
        for (key, value) in extra {
            switch value {
            case .string(let text): pairs[key] = text
            case .null: continue
            default:
                let data: Data
                do {
                    data = try JSONEncoder().encode(value)
                } catch {
                    throw problem("extra.\(key)", "cannot be written as JSON: \(error)")
                }
                pairs[key] = String(decoding: data, as: UTF8.self)
            }
        }
        return pairs
    }

    private func buttons() throws(FieldProblem) -> [PushButton] {
        guard let value = object["buttons"], value != .null else { return [] }
        guard let list = value.arrayValue else { throw problem("buttons", "must be an array") }
        var buttons: [PushButton] = []
        for (index, button) in list.enumerated() {
            guard let id = button["action_id"]?.stringValue else {
                throw problem("buttons.\(index).action_id", "is required and must be a string")
            }
            buttons.append(
                PushButton(
                    actionID: id,
                    title: button["text"]?.stringValue ?? "",
                    uri: button["uri"]?.stringValue
                )
            )
        }
        return buttons
    }

    private func text(_ key: String) throws(FieldProblem) -> String? {
        guard let value = object[key], value != .null else { return nil }
        guard let text = value.stringValue else { throw problem(key, "must be a string") }
        return text.isEmpty ? nil : text
    }

    private func flag(_ key: String) throws(FieldProblem) -> Bool? {
        guard let value = object[key], value != .null else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.integerValue, number == 0 || number == 1 { return number == 1 }
        throw problem(key, "must be true or false")
    }

    private func problem(_ key: String, _ message: String) -> FieldProblem {
        FieldProblem("messages.apple_push.\(key)", message)
    }
}
