import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Reads an `apple_push` object.
struct ApplePushReader {
    private let object: PushObject

    init(_ object: PushObject) {
        self.object = object
    }

    func message() throws(FieldProblem) -> PushMessage {
        var message = PushMessage(body: "")
        try readAlert(into: &message)
        message.isSilent =
            try object.flag("content-available") ?? false && object.value("alert") == nil
        if let badge = object.value("badge") {
            guard let number = badge.integerValue, let count = Int(exactly: number) else {
                throw object.problem("badge", .badgeNumber)
            }
            message.badge = .set(count)
        }
        message.sound = try object.text("sound")
        message.uri = try object.text("custom_uri")
        message.useWebView = try object.flag("use_webview") ?? true
        message.threadID = try object.text("notification_group_thread_id")
        message.category = try object.text("category")
        message.isMutable = try object.flag("mutable_content") ?? false
        if let level = try object.text("interruption_level") {
            guard let known = InterruptionLevel(rawValue: level) else {
                throw object.problem("interruption_level", .interruption)
            }
            message.interruptionLevel = known
        }
        if let score = object.value("relevance_score") {
            guard let number = score.doubleValue else {
                throw object.problem("relevance_score", .numberFrom, ["first": "0", "last": "1"])
            }
            message.relevanceScore = number
        }
        if let url = try object.text("asset_url") {
            guard let type = try object.text("asset_file_type"), Self.fileTypes.contains(type)
            else {
                throw object.problem(
                    "asset_file_type",
                    .fileTypeRequired,
                    ["known": .text(Self.fileTypes.sorted().joined(separator: ", "))]
                )
            }
            message.attachment = PushAttachment(url: url, type: type)
        }
        message.keyValuePairs = try object.extra()
        message.buttons = try buttons()
        message.story = try object.story()
        message.translations = try object.translations()
        return message
    }

    func options() throws(FieldProblem) -> DeliveryOptions {
        var options = DeliveryOptions()
        if let text = try object.text("expiry") {
            guard let date = Timestamp.parse(text) else {
                throw object.problem("expiry", .isTime)
            }
            options.expiration = date
        }
        options.collapseID = try object.text("collapse_id")
        switch object.value("apns_priority")?.integerValue {
        case 10: options.priority = .high
        case 5: options.priority = .normal
        case 1: options.priority = .low
        case nil where object.value("apns_priority") == nil: break
        default: throw object.problem("apns_priority", .applePriority)
        }
        return options
    }

    private static let fileTypes: Set<String> = [
        "aif", "gif", "jpg", "m4a", "mp3", "mp4", "png", "wav",
    ]

    private func readAlert(into message: inout PushMessage) throws(FieldProblem) {
        switch object.value("alert") {
        case .string(let text)?:
            message.body = text
        case .object(let alert)?:
            for (key, path) in [
                ("title", \PushMessage.title), ("subtitle", \.subtitle), ("body", \.body),
            ] {
                guard let value = alert[key], value != .null else { continue }
                guard let text = value.stringValue else {
                    throw object.problem("alert.\(key)", .mustBeString)
                }
                message[keyPath: path] = text
            }
        case nil:
            guard try object.flag("content-available") == true else {
                throw object.problem("alert", .alertRequired)
            }
        default:
            throw object.problem("alert", .alertKind)
        }
    }

    private func buttons() throws(FieldProblem) -> [PushButton] {
        var buttons: [PushButton] = []
        for (place, button) in try object.buttons() {
            guard let id = button["action_id"]?.stringValue else {
                throw object.problem("\(place).action_id", .requiredString)
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
}
