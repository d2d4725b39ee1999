import Foundation
import Ingestion
import Model
import NoroshiWire

/// Reads an `android_push` object.
struct AndroidPushReader {
    /// Members of Braze's API that are ignored here.
    static let unused = [
        "notification_id", "summary_text", "push_icon_image_url", "accent_color",
        "conversation_data",
    ]
    /// Maximum time to live of a push at FCM, in seconds.
    private static let maxLifetime: Int64 = 2_419_200
    /// The key in `extra` of the URL of a large picture.
    private static let imageKey = "appboy_image_url"

    private let object: PushObject
    private let now: Date

    init(_ object: PushObject, now: Date) {
        self.object = object
        self.now = now
    }

    func message() throws(FieldProblem) -> PushMessage {
        var message = PushMessage(body: "")
        message.isSilent = try object.flag("send_to_sync") ?? false
        if message.isSilent {
            for key in ["alert", "title"] where object.value(key) != nil {
                throw object.problem(key, .notWithSync)
            }
        } else {
            message.title = try object.requiredText("title")
            message.body = try object.requiredText("alert")
        }
        message.sound = try object.text("sound")
        message.uri = try object.text("custom_uri")
        message.useWebView = try object.flag("use_webview") ?? false
        message.channelID = try object.text("notification_channel_id")
        message.keyValuePairs = try object.extra()
        if let url = message.keyValuePairs.removeValue(forKey: Self.imageKey) {
            message.attachment = PushAttachment(url: url, type: PushAttachment.imageType(of: url))
        }
        message.buttons = try PushButton.numbered(object)
        message.story = try object.story()
        message.translations = try object.translations()
        return message
    }

    func options() throws(FieldProblem) -> DeliveryOptions {
        var options = DeliveryOptions()
        options.collapseID = try object.text("collapse_key")
        if let life = try object.wholeNumber("time_to_live", 0...Self.maxLifetime) {
            options.expiration = now.addingTimeInterval(TimeInterval(life))
        }
        let importance = try object.wholeNumber("priority", -2...2) ?? 0
        switch try object.text("android_priority") {
        case "high"?: options.priority = .high
        case "normal"?: options.priority = .normal
        case nil: options.priority = importance < 0 ? .normal : .high
        default: throw object.problem("android_priority", .androidPriority)
        }
        return options
    }
}
