import Foundation
import Ingestion
import Model
import NoroshiWire

/// Reads a `web_push` object.
struct WebPushReader {
    /// Members of Braze's API that are ignored here.
    static let unused = ["image_url", "require_interaction"]
    /// Maximum time to live of a push at FCM and at Mozilla's service, in seconds.
    private static let maxLifetime: Int64 = 2_419_200

    private let object: PushObject
    private let now: Date

    init(_ object: PushObject, now: Date) {
        self.object = object
        self.now = now
    }

    func message() throws(FieldProblem) -> PushMessage {
        var message = PushMessage(
            title: try object.requiredText("title"),
            body: try object.requiredText("alert")
        )
        message.uri = try object.text("custom_uri")
        message.keyValuePairs = try object.extra()
        if let url = try object.text("large_image_url") {
            message.attachment = PushAttachment(url: url, type: PushAttachment.imageType(of: url))
        }
        message.buttons = try PushButton.numbered(object)
        message.story = try object.story()
        message.translations = try object.translations()
        return message
    }

    func options() throws(FieldProblem) -> DeliveryOptions {
        var options = DeliveryOptions()
        if let life = try object.wholeNumber("time_to_live", 0...Self.maxLifetime) {
            options.expiration = now.addingTimeInterval(TimeInterval(life))
        }
        return options
    }
}

extension PushAttachment {
    /// The extension of a URL's path; `png` if it has none.
    static func imageType(of url: String) -> String {
        let type = URL(string: url)?.pathExtension.lowercased() ?? ""
        return type.isEmpty ? "png" : type
    }
}

extension PushButton {
    /// Buttons with a text and without a name: their numbers are their names.
    static func numbered(_ object: PushObject) throws(FieldProblem) -> [PushButton] {
        var buttons: [PushButton] = []
        for (place, button) in try object.buttons() {
            guard let text = button["text"]?.stringValue, !text.isEmpty else {
                throw object.problem("\(place).text", .requiredString)
            }
            let action = button["action"]?.stringValue ?? "OPEN_APP"
            guard ["OPEN_APP", "URI", "DEEP_LINK", "CLOSE"].contains(action) else {
                throw object.problem("\(place).action", .buttonAction)
            }
            buttons.append(
                PushButton(
                    actionID: "\(buttons.count)",
                    title: text,
                    uri: button["uri"]?.stringValue
                )
            )
        }
        return buttons
    }
}
