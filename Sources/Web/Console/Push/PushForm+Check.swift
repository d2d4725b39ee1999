import Campaigns
import Foundation
import Model
import NoroshiWire
import WebPages

extension PushForm {
    private static let maxCollapseIDLength = 64

    /// The time of the send; `nil` for an immediate one, or if it cannot be parsed.
    func moment(in zone: TimeZone) -> Date? {
        isScheduled ? DateTimeLocalFormat.date(deliverAt, in: zone) : nil
    }

    /// - Throws: ``FormError`` with every invalid field.
    func checked(_ context: ConsoleContext) throws(FormError) {
        var check = FormValidator(context: context)
        self.check(&check)
        audience.check(&check)
        if isScheduled {
            if let date = moment(in: context.zone) {
                if date <= context.now { check.fault("deliverAt", "fault.past") }
            } else {
                check.fault("deliverAt", "fault.date")
            }
        }
        guard check.faults.isEmpty else { throw FormError(faults: check.faults) }
    }

    /// Reports the invalid fields of the message.
    ///
    /// - Parameter hasText: Whether this form contains the texts.
    func check(_ check: inout FormValidator, hasText: Bool = true) {
        if hasText { text.check(&check) }
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
        if badge.change == nil { check.fault("badge", "fault.badge") }
        if buttons.preset == .custom, buttons.category.isEmpty {
            check.fault("category", "fault.category")
        }
        StoryFields.check(story, &check)
        if !story.isEmpty, buttons.preset != .none { check.fault("story", "fault.story_buttons") }
        if collapseID.utf8.count > Self.maxCollapseIDLength {
            check.fault("collapseID", "fault.collapse")
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
