import Audience
import Foundation

/// What a person writes of an in-app message.
package struct InAppDraft: Sendable, Hashable {
    package var name = ""
    /// At least one; more are variants that are compared.
    package var contents = [InAppContent()]
    /// Of the contents, relative to one another.
    package var weights = [1]
    /// The share of users, in per cent, who get nothing and are counted.
    package var controlShare = 0
    package var pairs: [PushPair] = []
    package var triggers: [InAppTrigger] = []
    package var priority = 0
    package var delaySeconds = 0.0
    /// How often a device shows it; `nil` for every time.
    package var impressionLimit: Int? = 1
    /// Seconds between two showings.
    package var intervalSeconds: Double?
    package var startsAt: Date?
    package var endsAt: Date?
    package var audience = AudienceChoice.everyone
    /// The user for whom the preview is drawn; not part of the message.
    package var previewUser = ""

    package init() {}

    /// The content that is there in any case.
    package var first: InAppContent {
        get { contents.first ?? InAppContent() }
        set { contents = [newValue] + contents.dropFirst() }
    }

    package var isExperiment: Bool { contents.count > 1 || controlShare > 0 }
}

/// What people see of an in-app message.
package struct InAppContent: Sendable, Hashable {
    /// The identifier that it is stored under; empty for a new one.
    package var id = ""
    package var kind = InAppKind.modal
    package var header = ""
    /// HTML for the kind `html`.
    package var text = ""
    package var imageURL = ""
    package var imageAlt = ""
    /// The language of the text (BCP 47), for reading aloud; empty for the app's.
    package var language = ""
    package var slidesFromTop = false
    package var orientation = InAppOrientation.any
    /// Seconds after which it closes itself; `nil` for by hand.
    package var closesAfterSeconds: Double?
    /// What a tap on the message does.
    package var click = InAppClick.close
    /// At most two.
    package var buttons: [InAppButton] = []
    package var colors = InAppColors()

    package init() {}
}

package enum InAppKind: String, Sendable, Hashable, CaseIterable {
    case slideup, modal
    case modalImage = "modal_image"
    case full
    case fullImage = "full_image"
    case html
    /// Nothing is shown; it is counted who would have seen something.
    case control

    /// Whether it is made of a picture alone.
    package var isImageOnly: Bool { self == .modalImage || self == .fullImage }
    package var hasHeader: Bool { self == .modal || self == .full }
    package var hasButtons: Bool { self != .slideup && self != .html && self != .control }
}

package enum InAppOrientation: String, Sendable, Hashable, CaseIterable {
    case any, portrait, landscape
}

/// What a tap does.
package enum InAppClick: Sendable, Hashable {
    case close
    /// A web address or a deep link; a web address opens inside the app if `isInside`.
    case url(String, isInside: Bool)
    case event(String)
    /// Sets a custom attribute to a value, as JSON text.
    case attribute(String, value: String)
    case pushPermission
}

package struct InAppButton: Sendable, Hashable {
    /// By which taps are counted.
    package var id: String
    package var text: String
    package var click: InAppClick
    /// By slot: `text`, `background`, `border`.
    package var colors: [String: String]

    package init(id: String, text: String, click: InAppClick, colors: [String: String] = [:]) {
        self.id = id
        self.text = text
        self.click = click
        self.colors = colors
    }
}

/// Colours by slot, `#RRGGBB` or `#AARRGGBB`, in the phone's light and dark appearance.
package struct InAppColors: Sendable, Hashable {
    package static let slots = ["background", "text", "header", "frame", "close"]

    package var light: [String: String]
    package var dark: [String: String]

    package init(light: [String: String] = [:], dark: [String: String] = [:]) {
        self.light = light
        self.dark = dark
    }
}

/// What makes an app show a message.
package struct InAppTrigger: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case sessionStart = "session_start"
        case event, purchase
        case pushOpen = "push_open"
    }

    package var kind: Kind
    /// The event, or the product; empty for any product.
    package var name: String
    /// All of them must hold.
    package var conditions: [InAppCondition]

    package init(kind: Kind, name: String = "", conditions: [InAppCondition] = []) {
        self.kind = kind
        self.name = name
        self.conditions = conditions
    }
}

/// A condition on a property of the event or the purchase.
package struct InAppCondition: Sendable, Hashable {
    package enum Test: String, Sendable, Hashable, CaseIterable {
        case equals
        case notEquals = "not_equals"
        case contains
        case greater
        case greaterOrEqual = "greater_or_equal"
        case less
        case lessOrEqual = "less_or_equal"
        case exists
        case notExists = "not_exists"

        package var needsValue: Bool { self != .exists && self != .notExists }
    }

    package var property: String
    package var test: Test
    /// As JSON text: a number, `true`, `false`, or a text with or without quotes.
    package var value: String

    package init(property: String, test: Test, value: String) {
        self.property = property
        self.test = test
        self.value = value
    }
}
