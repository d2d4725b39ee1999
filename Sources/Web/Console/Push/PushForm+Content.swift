import Audience
import Foundation
import Model
import WebPages

/// Converts between the fields and a push.
extension PushForm {
    /// The content of a push that has not been sent by hand.
    init(_ content: SendContent, audience: AudienceChoice) {
        self.init(content.shown, audience: audience)
        extraction = content.extraction == .whenScheduled ? .whenReserved : .whenSent
        reachesControlGroup = content.withholdsFromControlGroup != true
    }

    init(_ message: PlatformMessage, audience: AudienceChoice) {
        self.init(fields: FormFields([]))
        for part in MessagePart.all { part.show(message, &self) }
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
        change(&content.shown, shownAs: shown)
        for (platform, var own) in content.platforms ?? [:] {
            // A platform's separate texts are not the ones that were changed.
            let ownShown = PushForm(own, audience: .everyone)
            common(with: ownShown, shown).change(&own, shownAs: ownShown)
            content.platforms?[platform] = own
        }
        if reachesControlGroup != shown.reachesControlGroup {
            content.withholdsFromControlGroup = !reachesControlGroup
        }
        if extraction != shown.extraction || !isScheduled {
            // For an immediate send the recipients are determined immediately.
            content.extraction = extraction == .whenReserved && isScheduled ? .whenScheduled : nil
        }
    }

    /// The fields of another message, with the changes to the values it had in common with `shown`.
    func common(with own: PushForm, _ shown: PushForm) -> PushForm {
        var changed = own
        for part in MessagePart.all where part.isSame(own, shown) { part.copy(self, &changed) }
        return changed
    }

    /// Applies the fields that differ from those shown.
    func change(_ message: inout PlatformMessage, shownAs shown: PushForm) {
        for part in MessagePart.all where !part.isSame(self, shown) { part.write(self, &message) }
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

    /// The message that the composer shows: that of all platforms without one of their own.
    fileprivate var shown: PlatformMessage {
        get { PlatformMessage(message, options: options) }
        set { (message, options) = (newValue.message, newValue.options) }
    }
}
