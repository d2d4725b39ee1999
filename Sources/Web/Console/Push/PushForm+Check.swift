import Campaigns
import Foundation
import Model
import NoroshiWire
import WebPages

extension PushForm {
    private static let maxCollapseIDLength = 64
    private static let badges = 1...99_999

    /// The time of the send; `nil` for an immediate one, or if it cannot be parsed.
    func moment(in zone: TimeZone) -> Date? {
        isScheduled ? DateTimeLocalFormat.date(deliverAt, in: zone) : nil
    }

    /// - Throws: ``FormRejected`` with every invalid field.
    func checked(_ visit: Visit) throws(FormRejected) {
        var check = FormValidator(visit: visit)
        self.check(&check)
        audience.check(&check)
        if isScheduled {
            if let date = moment(in: visit.zone) {
                if date <= visit.now { check.fault("deliverAt", "fault.past") }
            } else {
                check.fault("deliverAt", "fault.date")
            }
        }
        guard check.faults.isEmpty else { throw FormRejected(faults: check.faults) }
    }

    /// Reports the invalid fields of the message.
    ///
    /// - Parameter hasText: Whether this form contains the texts.
    func check(_ check: inout FormValidator, hasText: Bool = true) {
        if hasText { Self.checkText(message: message, url: url, image: image, &check) }
        var seen: Set<String> = []
        for pair in pairs {
            if pair.key.isEmpty {
                check.fault("pairs", "fault.key_empty", ["name": pair.value])
            } else if PushPayloadKey.reserved.contains(pair.key) {
                check.fault("pairs", "fault.key_reserved", ["name": pair.key])
            } else if !seen.insert(pair.key).inserted {
                check.fault("pairs", "fault.key_twice", ["name": pair.key])
            }
        }
        if !customJSON.isEmpty, !Self.isJSON(customJSON) { check.fault("customJSON", "fault.json") }
        if badge == nil { check.fault("badge", "fault.badge") }
        if buttons == .custom, category.isEmpty { check.fault("category", "fault.category") }
        StoryFields.check(story, &check)
        if !story.isEmpty, buttons != .none { check.fault("story", "fault.story_buttons") }
        if collapseID.utf8.count > Self.maxCollapseIDLength {
            check.fault("collapseID", "fault.collapse")
        }
    }

    /// Reports the invalid fields of a text, whose names begin with a prefix.
    static func checkText(
        message: String,
        url: String,
        image: String,
        prefix: String = "",
        _ check: inout FormValidator
    ) {
        if message.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
            check.fault(prefix + "message", "fault.message_empty")
        }
        if !url.isEmpty, !LinkAddress.mayBeOpenable(url) {
            check.fault(prefix + "url", "reason.field.openableAddress")
        }
        if !image.isEmpty, !image.hasPrefix("https://") {
            check.fault(prefix + "image", "fault.image")
        }
    }

    /// The change of the badge; `nil` for an invalid number.
    var badge: BadgeChange? {
        switch badgeKind {
        case .unchanged: .unchanged
        case .clear: .set(0)
        case .set: Int(badgeNumber).flatMap { Self.badges.contains($0) ? .set($0) : nil }
        }
    }

    /// Whether a text is JSON, or could be after rendering its templates.
    static func isJSON(_ text: String) -> Bool {
        text.contains("{{") || text.contains("{%")
            || (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
    }
}

extension PushForm {
    /// The name of the field that shows what a path leads to.
    static func name(of path: FieldPath) -> String {
        switch path {
        case .push(let field, _): self.field(for: field).rawValue
        case .audience(let field): AudienceForm.name(of: field)
        default: PushField.message.rawValue
        }
    }

    static func field(for field: FieldPath.Message) -> PushField {
        switch field {
        case .title: .title
        case .subtitle: .subtitle
        case .uri: .url
        case .pairs, .pair: .pairs
        case .customVariables: .customJSON
        case .badge: .badge
        case .collapseID: .collapseID
        case .threadID: .threadID
        case .story, .storyImage, .storyTitle, .storySubtitle, .storyURI: .story
        case .body, .attachment, .relevanceScore, .buttons, .buttonTitle, .buttonURI, .translations,
            .translatedTitle, .translatedSubtitle, .translatedBody:
            .message
        }
    }
}
