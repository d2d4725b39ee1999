import Audience
import Console
import Foundation
import Model

extension PushDraft {
    /// What a new send of this draft is asked to do.
    func content(audience: Audience) -> SendContent {
        var content = SendContent.unwritten
        content.audience = audience
        apply(to: &content, shownAs: PushDraft(content, audience: self.audience))
        return content
    }

    /// Changes what a member has changed since a send was `shown`, on every platform that said the
    /// same; what the form does not show, or shows as it was, stays.
    func apply(to content: inout SendContent, shownAs shown: PushDraft) {
        change(&content.message, &content.options, shown)
        if var platforms = content.platforms {
            for (platform, own) in platforms {
                var own = own
                let ownShown = PushDraft(
                    SendContent(message: own.message, audience: .everyone, options: own.options),
                    audience: audience
                )
                // A platform's own words are not those that were changed.
                common(with: ownShown, shown).change(&own.message, &own.options, ownShown)
                platforms[platform] = own
            }
            content.platforms = platforms
        }
        if extraction != shown.extraction || deliverAt == nil {
            // What goes at once is picked at once.
            content.extraction =
                extraction == .whenReserved && deliverAt != nil ? .frozen : nil
        }
    }

    /// What a platform showed, with those changes to what it had in common with all.
    private func common(with own: PushDraft, _ shown: PushDraft) -> PushDraft {
        var changed = own
        func take<Value: Equatable>(_ field: WritableKeyPath<PushDraft, Value>) {
            if own[keyPath: field] == shown[keyPath: field] {
                changed[keyPath: field] = self[keyPath: field]
            }
        }
        take(\.title)
        take(\.subtitle)
        take(\.message)
        take(\.url)
        take(\.pairs)
        take(\.customJSON)
        take(\.badge)
        take(\.sound)
        take(\.threadID)
        take(\.imageURL)
        take(\.interruption)
        take(\.newsID)
        take(\.newsTenantID)
        take(\.collapseID)
        if own.buttons == shown.buttons, own.category == shown.category {
            changed.buttons = buttons
            changed.category = category
        }
        return changed
    }

    private func change(
        _ push: inout PushMessage,
        _ options: inout DeliveryOptions,
        _ shown: PushDraft
    ) {
        if title != shown.title { push.title = title }
        if message != shown.message { push.body = message }
        if subtitle != shown.subtitle { push.subtitle = subtitle }
        if url != shown.url { push.uri = url.isEmpty ? nil : url }
        if pairs != shown.pairs {
            push.keyValuePairs = Dictionary(
                pairs.map { ($0.key, $0.value) },
                uniquingKeysWith: { $1 }
            )
        }
        if customJSON != shown.customJSON {
            push.customVariables = customJSON.isEmpty ? nil : customJSON
        }
        if badge != shown.badge {
            switch badge {
            case .unchanged: push.badge = .unchanged
            case .clear: push.badge = .set(0)
            case .set(let number): push.badge = .set(number)
            }
        }
        if sound != shown.sound { push.sound = sound == .standard ? "default" : nil }
        if buttons != shown.buttons || category != shown.category {
            push.category = buttons.category ?? (category.isEmpty ? nil : category)
            push.buttons = []
        }
        if threadID != shown.threadID { push.threadID = threadID.isEmpty ? nil : threadID }
        if imageURL != shown.imageURL {
            let type = URL(string: imageURL)?.pathExtension.lowercased() ?? ""
            push.attachment =
                imageURL.isEmpty
                ? nil : PushAttachment(url: imageURL, type: type.isEmpty ? "png" : type)
        }
        if interruption != shown.interruption {
            switch interruption {
            case .active: push.interruptionLevel = nil
            case .passive: push.interruptionLevel = .passive
            case .timeSensitive: push.interruptionLevel = .timeSensitive
            }
        }
        if newsID != shown.newsID || newsTenantID != shown.newsTenantID {
            push.news = newsID.map { NewsReference(id: $0, tenantID: newsTenantID) }
        }
        if collapseID != shown.collapseID {
            options.collapseID = collapseID.isEmpty ? nil : collapseID
        }
    }

    /// The draft a send was made from, to show and to duplicate.
    init(_ content: SendContent, audience: PushAudience) {
        self.init()
        let push = content.message
        title = push.title
        subtitle = push.subtitle
        message = push.body
        url = push.uri ?? ""
        pairs = push.keyValuePairs.sorted { $0.key < $1.key }.map {
            PushPair(key: $0.key, value: $0.value)
        }
        customJSON = push.customVariables ?? ""
        switch push.badge {
        case .unchanged: badge = .unchanged
        case .set(0): badge = .clear
        case .set(let number): badge = .set(number)
        }
        sound = push.sound == nil ? .silent : .standard
        if let category = push.category {
            if let known = ButtonSet.allCases.first(where: { $0.category == category }) {
                buttons = known
            } else {
                buttons = .custom
                self.category = category
            }
        }
        threadID = push.threadID ?? ""
        collapseID = content.options.collapseID ?? ""
        imageURL = push.attachment?.url ?? ""
        switch push.interruptionLevel {
        case .passive: interruption = .passive
        case .timeSensitive: interruption = .timeSensitive
        case .active, .critical, nil: interruption = .active
        }
        newsID = push.news?.id
        newsTenantID = push.news?.tenantID
        extraction = content.extraction == .frozen ? .whenReserved : .whenSent
        self.audience = audience
    }
}

extension ButtonSet {
    /// The SDK's category with these buttons.
    var category: String? {
        switch self {
        case .none, .custom: nil
        case .more: "noroshi_more"
        case .yesNo: "noroshi_yes_no"
        case .acceptDecline: "noroshi_accept_decline"
        case .confirmCancel: "noroshi_confirm_cancel"
        }
    }
}

extension SendContent {
    /// A push of the console before anything is written.
    static var unwritten: SendContent {
        var push = PushMessage(body: "")
        push.sound = "default"
        // The service extension reports the receipt, so every visible push passes through it.
        push.isMutable = true
        return SendContent(message: push, audience: .everyone)
    }
}
