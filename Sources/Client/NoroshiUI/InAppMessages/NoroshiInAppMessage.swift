#if canImport(UIKit)
import Foundation
import Noroshi
import NoroshiWire

/// One showing of a message, as a class per kind: an app chooses the controller with `switch
/// message { case is NoroshiInAppMessageModal: … }`.
@MainActor
open class NoroshiInAppMessage {
    /// The context to which the view reports.
    public let context: NoroshiInAppMessageContext

    /// The message of `context`.
    public init(_ context: NoroshiInAppMessageContext) {
        self.context = context
    }

    /// The text; HTML for the kind `html`.
    public var message: String { context.message.message }

    /// The sender's key-value pairs.
    public var extras: [AnyHashable: Any]? { context.message.extras }

    /// The action of a tap on the message.
    public var clickAction: InAppMessage.ClickAction { context.message.clickAction ?? .none }

    /// The picture.
    public var imageURI: URL? { context.message.imageURL.flatMap(URL.init(string:)) }

    /// The class for the kind of the message.
    static func of(_ context: NoroshiInAppMessageContext) -> NoroshiInAppMessage {
        switch context.message.kind {
        case .slideup: NoroshiInAppMessageSlideup(context)
        case .modal, .modalImage: NoroshiInAppMessageModal(context)
        case .full, .fullImage: NoroshiInAppMessageFull(context)
        case .html: NoroshiInAppMessageHTML(context)
        case .control: NoroshiInAppMessage(context)
        }
    }
}

/// A strip that slides in from an edge.
open class NoroshiInAppMessageSlideup: NoroshiInAppMessage {
    /// The edge it comes from.
    public var slideFrom: InAppMessage.Edge { context.message.slideFrom ?? .bottom }
}

/// A message that covers the app, with a heading and buttons.
open class NoroshiInAppMessageImmersive: NoroshiInAppMessage {
    /// The heading.
    public var header: String? { context.message.header }

    /// The buttons.
    public var buttons: [InAppMessage.Button] { context.message.buttons ?? [] }

    /// Whether the message is a picture without text.
    public var isImageOnly: Bool {
        context.message.kind == .modalImage || context.message.kind == .fullImage
    }
}

/// A card over the app.
open class NoroshiInAppMessageModal: NoroshiInAppMessageImmersive {}

/// A page over the app.
open class NoroshiInAppMessageFull: NoroshiInAppMessageImmersive {}

/// A page of the sender's own HTML.
open class NoroshiInAppMessageHTML: NoroshiInAppMessage {}
#endif
