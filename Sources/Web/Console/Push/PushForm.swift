import Audience
import Foundation
import Model
import WebPages

/// The raw fields of the composer, so that a form with errors is shown again unchanged.
struct PushForm {
    enum BadgeKind: String, CaseIterable {
        case unchanged, set, clear
    }

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

    var title: String
    var subtitle: String
    var message: String
    /// The texts in other languages.
    var translations: [String: PushTranslation]
    var url: String
    var pairs: [PushPair]
    var customJSON: String
    var badgeKind: BadgeKind
    var badgeNumber: String
    var buttons: ButtonPreset
    var category: String
    var image: String
    /// The pages of a push story; empty for an ordinary push.
    var story: [StoryFields]
    var sound: Sound
    var threadID: String
    var collapseID: String
    var interruption: Interruption
    var audience: AudienceForm
    var extraction: Extraction
    /// Whether the workspace's control group gets it too.
    var reachesControlGroup: Bool
    var isScheduled: Bool
    /// In the format of `datetime-local`, in the workspace's time zone.
    var deliverAt: String
    var newsID: String
    var newsTenant: String
    /// The number of the scheduled push being edited; empty for a new one.
    var editing: String
    /// The number of the push from which hidden values are kept; empty for none.
    var basis: String
    var previewUser: String
    /// The id of the draft until it is sent.
    var draft: UUID

    init(fields: FormFields, isNew: Bool = false) {
        title = fields["title"]
        subtitle = fields["subtitle"]
        message = fields["message"]
        translations = TranslationFields.read(fields)
        url = fields["url"].trimmingCharacters(in: .whitespaces)
        let keys = fields.all("key")
        let values = fields.all("value")
        pairs = zip(keys, values).map { key, value in
            PushPair(key: key.trimmingCharacters(in: .whitespaces), value: value)
        }
        .filter { !$0.key.isEmpty || !$0.value.isEmpty }
        customJSON = fields["customJSON"].trimmingCharacters(in: .whitespacesAndNewlines)
        badgeKind = BadgeKind(rawValue: fields["badge"]) ?? .unchanged
        badgeNumber = isNew ? "1" : fields["badgeNumber"].trimmingCharacters(in: .whitespaces)
        buttons = ButtonPreset(rawValue: fields["buttons"]) ?? .none
        category = fields["category"].trimmingCharacters(in: .whitespaces)
        image = fields["image"].trimmingCharacters(in: .whitespaces)
        story = StoryFields.all(fields)
        sound = Sound(rawValue: fields["sound"]) ?? .standard
        threadID = fields["threadID"].trimmingCharacters(in: .whitespaces)
        collapseID = fields["collapseID"].trimmingCharacters(in: .whitespaces)
        interruption = Interruption(rawValue: fields["interruption"]) ?? .active
        audience = AudienceForm(fields: fields)
        extraction = Extraction(rawValue: fields["extraction"]) ?? .whenSent
        reachesControlGroup = fields["reachesControlGroup"] == "yes"
        isScheduled = fields["timing"] == "later"
        deliverAt = fields["deliverAt"]
        newsID = fields["newsID"]
        newsTenant = fields["newsTenant"]
        editing = fields["editing"]
        basis = fields["basis"]
        previewUser = fields["previewUser"].trimmingCharacters(in: .whitespaces)
        draft = UUID(uuidString: fields["draft"]) ?? UUID()
    }
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
