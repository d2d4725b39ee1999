import Console
import Foundation
import Model

extension PushDraft {
    /// What a send of this draft is asked to do.
    func content(audience: Audience) -> SendContent {
        var push = PushMessage(title: title, body: message)
        push.subtitle = subtitle
        push.uri = url.isEmpty ? nil : url
        push.keyValuePairs = Dictionary(
            pairs.map { ($0.key, $0.value) },
            uniquingKeysWith: { $1 }
        )
        push.customVariables = customJSON.isEmpty ? nil : customJSON
        switch badge {
        case .unchanged: push.badge = .unchanged
        case .clear: push.badge = .set(0)
        case .set(let number): push.badge = .set(number)
        }
        push.sound = sound == .standard ? "default" : nil
        push.category = buttons.category ?? (category.isEmpty ? nil : category)
        push.threadID = threadID.isEmpty ? nil : threadID
        if !imageURL.isEmpty {
            let type = URL(string: imageURL)?.pathExtension.lowercased() ?? ""
            push.attachment = PushAttachment(url: imageURL, type: type.isEmpty ? "png" : type)
        }
        switch interruption {
        case .active: push.interruptionLevel = nil
        case .passive: push.interruptionLevel = .passive
        case .timeSensitive: push.interruptionLevel = .timeSensitive
        }
        // The service extension reports the receipt, so every visible push passes through it.
        push.isMutable = true
        push.news = newsID.map { NewsReference(id: $0, tenantID: newsTenantID) }
        var content = SendContent(
            message: push,
            audience: audience,
            options: DeliveryOptions(collapseID: collapseID.isEmpty ? nil : collapseID)
        )
        // What goes at once is picked at once.
        if extraction == .whenReserved, deliverAt != nil { content.extraction = .frozen }
        return content
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
