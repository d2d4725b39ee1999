import Audience
import Foundation
import Model
import WebPages

/// The raw fields of the composer, so that a form with errors is shown again unchanged. Those of the
/// message are said to be read and written in ``MessagePart``.
struct PushForm {
    enum Sound: String, CaseIterable {
        case standard, silent
    }

    /// How prominently the phone presents a push.
    enum Interruption: String, CaseIterable {
        case passive, active, timeSensitive
    }

    /// When the recipients are determined (抽出タイミング).
    enum Extraction: String, CaseIterable {
        case whenSent, whenReserved
    }

    var text: MessageText
    var pairs: [PushPair]
    var customJSON: String
    var badge: BadgeFields
    var buttons: ButtonFields
    /// The pages of a push story; empty for an ordinary push.
    var story: [StoryFields]
    var sound: Sound
    var threadID: String
    var collapseID: String
    var interruption: Interruption
    var news: NewsReference?
    var audience: AudienceForm
    var extraction: Extraction
    /// Whether the workspace's control group gets it too.
    var reachesControlGroup: Bool
    var isScheduled: Bool
    /// In the format of `datetime-local`, in the workspace's time zone.
    var deliverAt: String
    /// The number of the scheduled push being edited; empty for a new one.
    var editing: String
    /// The number of the push from which hidden values are kept; empty for none.
    var basis: String
    var previewUser: String
    /// The id of the draft until it is sent.
    var draft: UUID

    init(fields: FormFields) {
        text = MessageText(fields: fields)
        pairs = PushPair.all(fields)
        customJSON = fields.trimmed("customJSON")
        badge = BadgeFields(fields: fields)
        buttons = ButtonFields(fields: fields)
        story = StoryFields.all(fields)
        sound = Sound(rawValue: fields["sound"]) ?? .standard
        threadID = fields.trimmed("threadID")
        collapseID = fields.trimmed("collapseID")
        interruption = Interruption(rawValue: fields["interruption"]) ?? .active
        news = NewsReference(fields: fields)
        audience = AudienceForm(fields: fields)
        extraction = Extraction(rawValue: fields["extraction"]) ?? .whenSent
        reachesControlGroup = fields["reachesControlGroup"] == "yes"
        isScheduled = fields["timing"] == "later"
        deliverAt = fields["deliverAt"]
        editing = fields["editing"]
        basis = fields["basis"]
        previewUser = fields.trimmed("previewUser")
        draft = UUID(uuidString: fields["draft"]) ?? UUID()
    }
}

extension PushForm.Interruption {
    init(_ level: InterruptionLevel?) {
        self =
            switch level {
            case .passive: .passive
            case .timeSensitive: .timeSensitive
            case .active, .critical, nil: .active
            }
    }

    var level: InterruptionLevel? {
        switch self {
        case .active: nil
        case .passive: .passive
        case .timeSensitive: .timeSensitive
        }
    }
}

/// One of the app's own key-value pairs.
struct PushPair: Hashable {
    var key: String
    var value: String

    /// The pairs of a form, without rows that are empty.
    static func all(_ fields: FormFields) -> [PushPair] {
        zip(fields.all("key"), fields.all("value")).map { key, value in
            PushPair(key: key.trimmingCharacters(in: .whitespaces), value: value)
        }
        .filter { !$0.key.isEmpty || !$0.value.isEmpty }
    }
}

/// The raw fields of the badge.
struct BadgeFields: Equatable {
    enum Kind: String, CaseIterable {
        case unchanged, clear, set
    }

    private static let numbers = 1...99_999

    var kind: Kind
    var number: String

    init(fields: FormFields) {
        kind = Kind(rawValue: fields["badge"]) ?? .unchanged
        number = fields.has("badgeNumber") ? fields.trimmed("badgeNumber") : "1"
    }

    init(_ change: BadgeChange) {
        (kind, number) =
            switch change {
            case .unchanged: (.unchanged, "1")
            case .set(0): (.clear, "1")
            case .set(let number): (.set, String(number))
            }
    }

    /// `nil` for an invalid number.
    var change: BadgeChange? {
        switch kind {
        case .unchanged: .unchanged
        case .clear: .set(0)
        case .set: Int(number).flatMap { Self.numbers.contains($0) ? .set($0) : nil }
        }
    }

    /// A number that is not used makes no difference.
    static func == (left: BadgeFields, right: BadgeFields) -> Bool { left.change == right.change }
}

extension NewsReference {
    /// `nil` without a news item.
    init?(fields: FormFields) {
        guard !fields["newsID"].isEmpty else { return nil }
        let tenant = fields["newsTenant"]
        self.init(id: fields["newsID"], tenantID: tenant.isEmpty ? nil : tenant)
    }
}
