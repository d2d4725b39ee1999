import Audience
import Foundation
import Model
import NoroshiWire
import WebPages

/// Converts between the fields and a push.
extension PushForm {
    /// The content of a push that has not been sent by hand.
    init(_ content: SendContent, audience: AudienceChoice) {
        self.init(
            PlatformMessage(content.message, options: content.options),
            audience: audience
        )
        extraction = content.extraction == .frozen ? .whenReserved : .whenSent
        reachesControlGroup = content.withholdsFromControlGroup != true
    }

    init(_ shown: PlatformMessage, audience: AudienceChoice) {
        self.init(fields: FormFields([]))
        let push = shown.message
        title = push.title
        subtitle = push.subtitle
        message = push.body
        translations = (push.translations ?? [:]).filter { !$0.value.isEmpty }
        url = push.uri ?? ""
        pairs = push.keyValuePairs.sorted { $0.key < $1.key }
            .map { PushPair(key: $0.key, value: $0.value) }
        customJSON = push.customVariables ?? ""
        (badgeKind, badgeNumber) =
            switch push.badge {
            case .unchanged: (.unchanged, "1")
            case .set(0): (.clear, "1")
            case .set(let number): (.set, String(number))
            }
        sound = push.sound == nil ? .silent : .standard
        // A story is chosen by its pages, so that its category is no choice of buttons.
        let category = push.category == PushPayloadKey.storyCategory ? nil : push.category
        buttons = ButtonPreset(category: category)
        self.category = buttons == .custom ? category ?? "" : ""
        threadID = push.threadID ?? ""
        collapseID = shown.options.collapseID ?? ""
        image = push.attachment?.url ?? ""
        story = (push.story ?? []).map(StoryFields.init)
        interruption =
            switch push.interruptionLevel {
            case .passive: .passive
            case .timeSensitive: .timeSensitive
            case .active, .critical, nil: .active
            }
        newsID = push.news?.id ?? ""
        newsTenant = push.news?.tenantID ?? ""
        self.audience = AudienceForm(audience)
    }

    /// A copy of an earlier push, to be sent at its author's time.
    init(copying send: Send, audience: AudienceChoice) {
        self.init(send.content, audience: audience)
        // A campaign's additions to its pushes belong to the campaign.
        if send.content.launch == nil { basis = String(send.id.rawValue) }
    }

    /// A scheduled push to edit, with its time.
    init(changing send: Send, audience: AudienceChoice, zone: TimeZone) {
        self.init(copying: send, audience: audience)
        editing = String(send.id.rawValue)
        isScheduled = send.scheduledAt > send.createdAt
        deliverAt = isScheduled ? DateTimeLocalFormat.text(send.scheduledAt, in: zone) : ""
    }

    // MARK: Writing

    /// Applies a member's changes since a push was `shown`, on every platform with the same value.
    /// Values that the form does not show, or shows unchanged, are kept; invalid ones are left out.
    func apply(to content: inout SendContent, shownAs shown: PushForm) {
        change(&content.message, &content.options, shownAs: shown)
        for (platform, var own) in content.platforms ?? [:] {
            // A platform's separate texts are not the ones that were changed.
            let ownShown = PushForm(own, audience: .everyone)
            common(with: ownShown, shown)
                .change(&own.message, &own.options, shownAs: ownShown)
            content.platforms?[platform] = own
        }
        if reachesControlGroup != shown.reachesControlGroup {
            content.withholdsFromControlGroup = !reachesControlGroup
        }
        if extraction != shown.extraction || !isScheduled {
            // For an immediate send the recipients are determined immediately.
            content.extraction = extraction == .whenReserved && isScheduled ? .frozen : nil
        }
    }

    /// The fields of another message, with the changes to the values it had in common with `shown`.
    func common(with own: PushForm, _ shown: PushForm) -> PushForm {
        var changed = own
        func take<Value: Equatable>(_ field: WritableKeyPath<PushForm, Value>) {
            if own[keyPath: field] == shown[keyPath: field] {
                changed[keyPath: field] = self[keyPath: field]
            }
        }
        take(\.title)
        take(\.subtitle)
        take(\.message)
        take(\.translations)
        take(\.url)
        take(\.pairs)
        take(\.customJSON)
        take(\.sound)
        take(\.threadID)
        take(\.image)
        take(\.story)
        take(\.interruption)
        take(\.collapseID)
        if own.badge == shown.badge {
            (changed.badgeKind, changed.badgeNumber) = (badgeKind, badgeNumber)
        }
        if own.news == shown.news { (changed.newsID, changed.newsTenant) = (newsID, newsTenant) }
        if own.ownCategory == shown.ownCategory {
            (changed.buttons, changed.category) = (buttons, category)
        }
        return changed
    }

    /// Applies the fields that differ from those shown.
    func change(
        _ push: inout PushMessage,
        _ options: inout DeliveryOptions,
        shownAs shown: PushForm
    ) {
        if title != shown.title { push.title = title }
        if message != shown.message { push.body = message }
        if subtitle != shown.subtitle { push.subtitle = subtitle }
        if translations != shown.translations {
            push.translations = translations.isEmpty ? nil : translations
        }
        if url != shown.url { push.uri = url.isEmpty ? nil : url }
        if pairs != shown.pairs {
            push.keyValuePairs = Dictionary(
                pairs.filter { !$0.key.isEmpty }.map { ($0.key, $0.value) },
                uniquingKeysWith: { $1 }
            )
        }
        if customJSON != shown.customJSON {
            push.customVariables =
                customJSON.isEmpty || !Self.isJSON(customJSON) ? nil : customJSON
        }
        if badge != shown.badge { push.badge = badge ?? .unchanged }
        if sound != shown.sound { push.sound = sound == .standard ? "default" : nil }
        if ownCategory != shown.ownCategory {
            push.category = ownCategory
            push.buttons = []
        }
        if threadID != shown.threadID { push.threadID = threadID.isEmpty ? nil : threadID }
        if image != shown.image {
            let type = URL(string: image)?.pathExtension.lowercased() ?? ""
            push.attachment =
                image.isEmpty
                ? nil : PushAttachment(url: image, type: type.isEmpty ? "png" : type)
        }
        if story != shown.story { push.story = story.isEmpty ? nil : story.map(\.page) }
        if interruption != shown.interruption {
            push.interruptionLevel =
                switch interruption {
                case .active: nil
                case .passive: .passive
                case .timeSensitive: .timeSensitive
                }
        }
        if news != shown.news { push.news = news }
        if collapseID != shown.collapseID {
            options.collapseID = collapseID.isEmpty ? nil : collapseID
        }
    }

    /// The selected category, by its buttons or by its name.
    private var ownCategory: String? {
        buttons.category ?? (buttons == .custom && !category.isEmpty ? category : nil)
    }

    private var news: NewsReference? {
        newsID.isEmpty
            ? nil : NewsReference(id: newsID, tenantID: newsTenant.isEmpty ? nil : newsTenant)
    }
}

extension SendContent {
    /// The initial content of a new push in the console.
    static var unwritten: SendContent {
        var push = PushMessage(body: "")
        push.sound = "default"
        // Every visible push passes through the service extension, which reports the receipt.
        push.isMutable = true
        var content = SendContent(message: push, audience: .everyone)
        content.withholdsFromControlGroup = true
        return content
    }
}
