import Foundation

/// An in-app message with the rules by which a device shows it.
public struct InAppMessage: Sendable, Codable, Equatable, Identifiable {
    /// The kinds of message.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A strip that slides in from an edge.
        case slideup
        /// A card over the app.
        case modal
        /// A picture over the app.
        case modalImage = "modal_image"
        /// A page over the app.
        case full
        /// A picture that fills the page.
        case fullImage = "full_image"
        /// A page of the sender's own HTML.
        case html
        /// Nothing is shown: a user of the control group would have seen a message here.
        case control
    }

    /// The edge that a slideup comes from.
    public enum Edge: String, Sendable, Codable {
        /// The upper edge.
        case top
        /// The lower edge.
        case bottom
    }

    /// The orientation of a device.
    public enum Orientation: String, Sendable, Codable {
        /// Any orientation.
        case any
        /// Upright.
        case portrait
        /// On its side.
        case landscape
    }

    /// The alignment of the heading and the text.
    public enum TextAlignment: String, Sendable, Codable {
        /// The side where the text of its language begins.
        case start
        /// The middle.
        case center
        /// The side where the text of its language ends.
        case end
    }

    /// The action of a tap.
    public enum ClickAction: Sendable, Equatable {
        /// It closes the message.
        case none
        /// Opens a URL, a web page inside the app if `useWebView`.
        case url(String, useWebView: Bool)
        /// It records an event.
        case event(name: String)
        /// It sets a custom attribute.
        case attribute(key: String, value: JSONValue)
        /// It asks for permission to send notifications.
        case requestPushPermission
    }

    /// A button.
    public struct Button: Sendable, Codable, Equatable, Identifiable {
        /// The identifier, `0` and `1` for the two buttons of the built-in layouts.
        public var id: String
        /// The label.
        public var text: String
        /// The action of a tap.
        public var clickAction: ClickAction
        /// Colors by slot (`text`, `background`, `border`), `#AARRGGBB`.
        public var colors: [String: String]?

        /// A button.
        public init(
            id: String,
            text: String,
            clickAction: ClickAction = .none,
            colors: [String: String]? = nil
        ) {
            self.id = id
            self.text = text
            self.clickAction = clickAction
            self.colors = colors
        }

        enum CodingKeys: String, CodingKey {
            case id, text, colors
            case clickAction = "click_action"
        }
    }

    /// The identifier of the message.
    public var id: String
    /// The kind of message.
    public var kind: Kind
    /// The text; HTML for the kind `html`.
    public var message: String
    /// The heading.
    public var header: String?
    /// The picture.
    public var imageURL: String?
    /// A description of the picture, for users who cannot see it.
    public var imageAltText: String?
    /// The language of the text (BCP 47), for reading aloud.
    public var language: String?
    /// The edge that a slideup comes from.
    public var slideFrom: Edge?
    /// The required orientation; any by default.
    public var orientation: Orientation?
    /// The alignment of the heading and the text; by default slideups start at the leading side and
    /// all others are centered.
    public var textAlignment: TextAlignment?
    /// Seconds after which the message closes itself; `nil` means that the user closes it.
    public var closesAfterSeconds: Double?
    /// The action of a tap on the message.
    public var clickAction: ClickAction?
    /// The buttons, at most two in the built-in layouts.
    public var buttons: [Button]?
    /// Colors by theme (`light`, `dark`) and slot (`background`, `text`, `header`, `frame`,
    /// `close`), `#AARRGGBB`.
    public var themes: [String: [String: String]]?
    /// The sender's key-value pairs.
    public var extras: [String: String]?
    /// The variant of the message, under which interactions are reported.
    public var variant: String?
    /// When the device shows it.
    public var rules: InAppMessageRules
    /// What it says in other languages, by ISO 639 code. The server chooses: a device gets the texts
    /// of one language.
    package var translations: [String: InAppTranslation]?

    /// A message of `kind`.
    public init(id: String, kind: Kind, message: String, rules: InAppMessageRules) {
        self.id = id
        self.kind = kind
        self.message = message
        self.rules = rules
    }

    /// Whether the message may be shown in an area of this size, according to its orientation.
    public func fits(width: Double, height: Double) -> Bool {
        switch orientation ?? .any {
        case .any: true
        case .portrait: height >= width
        case .landscape: width > height
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, message, header, language, orientation, buttons, themes, extras, variant, rules
        case translations
        case kind = "type"
        case imageURL = "image_url"
        case imageAltText = "image_alt"
        case slideFrom = "slide_from"
        case textAlignment = "text_alignment"
        case closesAfterSeconds = "closes_after_seconds"
        case clickAction = "click_action"
    }
}

extension InAppMessage.ClickAction: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, url, name, key, value
        case useWebView = "use_webview"
    }

    private enum Kind: String, Codable {
        case none, url, event, attribute
        case requestPushPermission = "request_push_permission"
    }

    /// Reads an action by its `type`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .none: self = .none
        case .url:
            self = .url(
                try container.decode(String.self, forKey: .url),
                useWebView: try container.decodeIfPresent(Bool.self, forKey: .useWebView) ?? false
            )
        case .event: self = .event(name: try container.decode(String.self, forKey: .name))
        case .attribute:
            self = .attribute(
                key: try container.decode(String.self, forKey: .key),
                value: try container.decode(JSONValue.self, forKey: .value)
            )
        case .requestPushPermission: self = .requestPushPermission
        }
    }

    /// Writes an action with its `type`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .none:
            try container.encode(Kind.none, forKey: .type)
        case .url(let url, let useWebView):
            try container.encode(Kind.url, forKey: .type)
            try container.encode(url, forKey: .url)
            try container.encode(useWebView, forKey: .useWebView)
        case .event(let name):
            try container.encode(Kind.event, forKey: .type)
            try container.encode(name, forKey: .name)
        case .attribute(let key, let value):
            try container.encode(Kind.attribute, forKey: .type)
            try container.encode(key, forKey: .key)
            try container.encode(value, forKey: .value)
        case .requestPushPermission:
            try container.encode(Kind.requestPushPermission, forKey: .type)
        }
    }
}
