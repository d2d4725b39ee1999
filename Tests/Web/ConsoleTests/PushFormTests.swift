import Audience
import Model
import Testing

@testable import Console

@Suite("The form of a push")
struct PushFormTests {
    /// A message with a value for everything, also for what the form does not show.
    private static func message(_ mark: String, number: Int) -> PlatformMessage {
        var message = PushMessage(title: "Title\n\(mark)", body: "First \(mark)\r\nSecond")
        message.subtitle = "Subtitle \(mark)"
        message.translations = ["ja": PushTranslation(title: "題", body: "一\r\n\(mark)")]
        message.uri = "tea://\(mark)"
        message.keyValuePairs = ["key": mark, "\(mark)": "value"]
        message.customVariables = #"{"mark":"\#(mark)"}"#
        message.badge = .set(number)
        message.sound = number == 0 ? nil : "bell"
        message.category = "category_\(mark)"
        message.threadID = "thread-\(mark)"
        message.interruptionLevel = number == 0 ? .passive : .timeSensitive
        message.attachment = PushAttachment(url: "https://example.com/\(mark).gif", type: "gif")
        message.story = (1...3).map { StoryPage(image: "https://example.com/\(mark)\($0).png") }
        message.news = NewsReference(id: "\(number + 1)", tenantID: mark)
        message.isMutable = true
        message.useWebView = true
        message.relevanceScore = 0.25
        message.channelID = "channel"
        return PlatformMessage(message, options: DeliveryOptions(collapseID: "collapse-\(mark)"))
    }

    private static let first = message("a", number: 0)
    private static let second = message("b", number: 7)

    private static func form(_ message: PlatformMessage) -> PushForm {
        PushForm(message, audience: .everyone)
    }

    @Test("a message that is shown and not changed stays as it is, to the ends of its lines")
    func unchanged() {
        for message in [Self.first, Self.second, PlatformMessage(PushMessage(body: ""))] {
            var kept = message
            Self.form(message).change(&kept, shownAs: Self.form(message))
            #expect(kept == message)
        }
        #expect(Self.form(Self.first).text.message == "First a\nSecond")
    }

    @Test(
        "a part that is changed in the form is changed in the message, and nothing else is",
        arguments: MessagePart.all.indices
    )
    func onePart(changed: Int) {
        let (shown, other) = (Self.form(Self.first), Self.form(Self.second))
        #expect(!MessagePart.all[changed].isSame(shown, other), "the two messages have to differ")
        var form = shown
        MessagePart.all[changed].copy(other, &form)
        var message = Self.first
        form.change(&message, shownAs: shown)
        for (index, part) in MessagePart.all.enumerated() {
            #expect(part.isSame(Self.form(message), index == changed ? other : shown), "\(index)")
        }
        #expect(message.message.isMutable && message.message.useWebView)
        #expect(message.message.relevanceScore == 0.25 && message.message.channelID == "channel")
    }

    @Test(
        "a change is made on each platform that said the same, and on no other",
        arguments: MessagePart.all.indices
    )
    func platforms(changed: Int) {
        var content = SendContent(message: Self.first.message, audience: .everyone)
        content.options = Self.first.options
        content.platforms = [.android: Self.first, .web: Self.message("c", number: 3)]
        let shown = PushForm(content, audience: .everyone)
        var form = shown
        MessagePart.all[changed].copy(Self.form(Self.second), &form)
        let before = content
        form.apply(to: &content, shownAs: shown)
        let part = MessagePart.all[changed]
        func says(_ message: PlatformMessage?, _ other: PlatformMessage?) -> Bool {
            guard let message, let other else { return false }
            return part.isSame(Self.form(message), Self.form(other))
        }
        #expect(says(content.platforms?[.android], Self.second))
        let web = before.platforms?[.web]
        let wasSame = says(web, Self.first)
        #expect(says(content.platforms?[.web], wasSame ? Self.second : web))
        if !wasSame { #expect(content.platforms?[.web] == web) }
    }

    @Test("a badge's number and a category's name count only where they are used")
    func unused() {
        var form = Self.form(PlatformMessage(PushMessage(body: "Tea")))
        form.badge.number = "many"
        form.buttons.category = "unused"
        var message = PlatformMessage(PushMessage(body: "Tea"))
        message.message.buttons = [PushButton(actionID: "yes", title: "Yes")]
        let before = message
        form.change(&message, shownAs: Self.form(message))
        #expect(message == before)
        form.badge.kind = .set
        #expect(form.badge.change == nil)
    }
}
