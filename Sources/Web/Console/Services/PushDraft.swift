import Audience
import Foundation

/// A push that has been written and checked, but not sent.
package struct PushDraft: Sendable, Hashable {
    package var title = ""
    package var subtitle = ""
    package var message = ""
    /// A web address or a deep link; empty for none.
    package var url = ""
    package var pairs: [PushPair] = []
    /// `custom_vars` as JSON text; empty for none.
    package var customJSON = ""
    package var badge = BadgeChoice.unchanged
    package var buttons = ButtonSet.none
    /// The app's own category; used with ``ButtonSet/custom``.
    package var category = ""
    package var imageURL = ""
    package var sound = PushSound.standard
    package var threadID = ""
    package var collapseID = ""
    package var interruption = Interruption.active
    package var audience = PushAudience.everyone
    package var extraction = ExtractionTiming.whenSent
    /// `nil` sends at once.
    package var deliverAt: Date?
    /// The news item that is pushed.
    package var newsID: String?
    /// Who publishes it (`news_tenant_id`).
    package var newsTenantID: String?
    /// The push that is changed or repeated: what the form does not show is taken from it.
    package var basis: Int64?
    /// The user for whom the preview is drawn; not part of what is sent.
    package var previewUser = ""

    package init() {}
}

/// One of the app's own key-value pairs.
package struct PushPair: Sendable, Hashable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// What a push does to the number on the icon.
package enum BadgeChoice: Sendable, Hashable {
    case unchanged
    case clear
    /// 1 or more.
    case set(Int)
}

/// The ready-made pairs of action buttons, or the app's own category.
package enum ButtonSet: String, Sendable, Hashable, CaseIterable {
    case none, more, yesNo, acceptDecline, confirmCancel, custom
}

package enum PushSound: String, Sendable, Hashable, CaseIterable {
    case standard, silent
}

/// How loudly the phone announces a push.
package enum Interruption: String, Sendable, Hashable, CaseIterable {
    case passive, active, timeSensitive
}

/// When the recipients are picked (抽出タイミング).
package enum ExtractionTiming: String, Sendable, Hashable, CaseIterable {
    case whenReserved, whenSent
}

/// Who receives a push.
package typealias PushAudience = AudienceChoice

/// A push as one user would see it.
package struct PushPreview: Sendable, Hashable {
    /// Bytes of a payload; push services refuse more.
    package static let payloadLimit = 4_096

    package var title: String
    package var subtitle: String
    package var message: String
    package var url: String
    package var pairs: [PushPair]
    /// The size of the payload in bytes; the push service refuses more than 4096.
    package var payloadBytes: Int
    package var faults: [FieldFault]

    package init(
        title: String,
        subtitle: String,
        message: String,
        url: String,
        pairs: [PushPair],
        payloadBytes: Int,
        faults: [FieldFault]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.message = message
        self.url = url
        self.pairs = pairs
        self.payloadBytes = payloadBytes
        self.faults = faults
    }
}

/// What is wrong with one field of a draft, in words that name the place, such as
/// `line 1, column 8: unknown filter "upcased"`.
package struct FieldFault: Sendable, Hashable {
    package var field: PushField
    package var text: String

    package init(field: PushField, text: String) {
        self.field = field
        self.text = text
    }
}

/// The fields of the composer, by their names in the form.
package enum PushField: String, Sendable, Hashable, CaseIterable {
    case title, subtitle, message, url, pairs, customJSON, badge, category, image
    case user, filter, attributes, contacts, segment, deliverAt, threadID, collapseID
}

/// A draft that the services refuse.
package struct PushDraftRejected: Error, Sendable, Hashable {
    package var faults: [FieldFault]

    package init(faults: [FieldFault]) {
        self.faults = faults
    }
}

/// An attribute for the variable picker.
package struct PersonalAttribute: Sendable, Hashable {
    /// What it is called.
    package var name: String
    /// What goes into the message, such as `{{${first_name}}}`.
    package var insertion: String

    /// The name of a custom attribute, for conditions; `nil` for one that every user may have.
    package var customName: String?

    package init(name: String, insertion: String, customName: String? = nil) {
        self.name = name
        self.insertion = insertion
        self.customName = customName
    }
}

/// A user to choose from.
package struct UserChoice: Sendable, Hashable {
    package var externalID: String
    package var name: String

    package init(externalID: String, name: String) {
        self.externalID = externalID
        self.name = name
    }
}
