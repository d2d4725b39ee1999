import Audience
import Foundation
import Model
import WebPages

/// The confirmation before a push is sent or scheduled.
struct PushReviewPage {
    struct Line {
        let label: String
        let value: String
    }

    struct Hidden {
        let name: String
        let value: String

        /// What the review of a draft posts: exactly what was reviewed.
        static func all(of draft: FormDraft, _ written: FormFields) -> [Hidden] {
            [
                Hidden(name: "draft", value: draft.id.uuidString),
                Hidden(name: "subject", value: draft.subject),
            ] + written.entries.map { Hidden(name: $0.name, value: $0.value) }
        }
    }

    let lines: [Line]
    let hidden: [Hidden]
    let banner: Banner
    let buttons: [String]
    let hasButtons: Bool
    let sendLabel: String
    let sendAddress: String
    let editAddress: String
    let outlook: OutlookPart
    let clock: String
    let date: String

    init(
        form: PushForm,
        draft: FormDraft,
        audience: AudienceChoice,
        preview: PushMessage,
        outlook: SendOutlook,
        context: ConsoleContext
    ) {
        let words = context.words
        let part = OutlookPart(outlook, context: context)
        self.outlook = part
        hidden = Hidden.all(of: draft, draft.written)
        banner = Banner(
            title: preview.title.isEmpty ? words("push.app_name") : preview.title,
            subtitle: preview.subtitle,
            message: preview.body
        )
        buttons = form.buttons.preset.titles(words)
        let deliverAt = form.moment(in: context.zone)
        hasButtons = !buttons.isEmpty
        lines =
            [
                Line(label: words("compose.audience"), value: audience.text(words))
            ] + part.lines + [
                Line(
                    label: words("compose.deliver_at"),
                    value: deliverAt.map { words.dateAndTime($0, in: context.zone) }
                        ?? words("timing.now")
                )
            ]
            + (deliverAt == nil
                ? []
                : [
                    Line(
                        label: words("compose.extraction"),
                        value: form.extraction == .whenSent
                            ? words("extraction.when_sent") : words("extraction.when_reserved")
                    )
                ])
            + PushContentLines(form, words: words).lines
        sendLabel =
            !form.editing.isEmpty
            ? words("review.change")
            : deliverAt == nil
                ? words.counted("review.send_to", outlook.users)
                : words.counted("review.reserve_for", outlook.users)
        sendAddress = ConsolePath.sendPush.path
        editAddress = ConsolePath.draft(.push, draft.id.uuidString).path
        clock = words.clock(context.now, in: context.zone)
        date = words.longDay(context.now, in: context.zone)
    }
}

/// The optional parts of a push, one per line, for the review and the push's page.
struct PushContentLines {
    let lines: [PushReviewPage.Line]

    init(_ form: PushForm, words: Words) {
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        if case .filter(let condition) = form.audience.choice { add("compose.filter", condition) }
        if let news = form.news { add("compose.news", "#\(news.id)") }
        add(
            "compose.languages",
            form.text.translations.keys.sorted().map(LanguageTabs.name).joined(separator: " · ")
        )
        add("compose.url", form.text.url)
        switch form.badge.change {
        case .unchanged, nil: add("compose.badge", words("badge.unchanged"))
        case .set(0): add("compose.badge", words("badge.clear"))
        case .set(let number): add("compose.badge", words.number(number))
        }
        for pair in form.pairs { add("compose.pairs", "\(pair.key) = \(pair.value)") }
        add("compose.custom_json", form.customJSON)
        let buttons = form.buttons
        if buttons.preset != .none { add("compose.buttons", buttons.preset.choiceText(words)) }
        if buttons.preset == .custom { add("compose.category", buttons.category) }
        add("compose.image", form.text.image)
        for (index, page) in form.story.enumerated() {
            let label = words("compose.story_page", ["page": "\(index + 1)"])
            lines.append(.init(label: label, value: page.line))
        }
        add("compose.thread", form.threadID)
        add("compose.collapse", form.collapseID)
        if form.interruption != .active {
            add("compose.interruption", words(form.interruption.wordKey))
        }
        if form.sound == .silent { add("compose.sound", words("sound.silent")) }
        self.lines = lines
    }
}
