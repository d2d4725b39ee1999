import Audience
import Foundation
import Model
import WebPages

/// The confirmation before a push is sent or reserved.
struct PushReviewPage {
    struct Line {
        let label: String
        let value: String
    }

    struct Hidden {
        let name: String
        let value: String
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
        draft: PushDraft,
        preview: PushPreview,
        outlook: SendOutlook,
        visit: Visit
    ) {
        let words = visit.words
        let part = OutlookPart(outlook, visit: visit)
        self.outlook = part
        hidden = form.fields.map { Hidden(name: $0.name, value: $0.value) }
        banner = Banner(
            title: preview.title.isEmpty ? words("push.app_name") : preview.title,
            subtitle: preview.subtitle,
            message: preview.message
        )
        buttons = draft.buttons.titles(words)
        hasButtons = !buttons.isEmpty
        lines =
            [
                Line(label: words("compose.audience"), value: draft.audience.text(words))
            ] + part.lines + [
                Line(
                    label: words("compose.deliver_at"),
                    value: draft.deliverAt.map { words.dateAndTime($0, in: visit.zone) }
                        ?? words("timing.now")
                )
            ]
            + (draft.deliverAt == nil
                ? []
                : [
                    Line(
                        label: words("compose.extraction"),
                        value: draft.extraction == .whenSent
                            ? words("extraction.when_sent") : words("extraction.when_reserved")
                    )
                ])
            + PushContentLines(draft, words: words).lines
        sendLabel =
            !form.editing.isEmpty
            ? words("review.change")
            : draft.deliverAt == nil
                ? words.counted("review.send_to", outlook.users)
                : words.counted("review.reserve_for", outlook.users)
        sendAddress = ConsolePath.sendPush.path
        editAddress = ConsolePath.draft(.push, form.draft.uuidString).path
        clock = words.clock(visit.now, in: visit.zone)
        date = words.longDay(visit.now, in: visit.zone)
    }
}

/// The optional parts of a push, one line each; the review and the push's own page show them.
struct PushContentLines {
    let lines: [PushReviewPage.Line]

    init(_ draft: PushDraft, words: Words) {
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        if case .filter(let condition) = draft.audience { add("compose.filter", condition) }
        if let newsID = draft.newsID { add("compose.news", "#\(newsID)") }
        add("compose.url", draft.url)
        switch draft.badge {
        case .unchanged: add("compose.badge", words("badge.unchanged"))
        case .clear: add("compose.badge", words("badge.clear"))
        case .set(let number): add("compose.badge", words.number(number))
        }
        for pair in draft.pairs { add("compose.pairs", "\(pair.key) = \(pair.value)") }
        add("compose.custom_json", draft.customJSON)
        if draft.buttons != .none { add("compose.buttons", draft.buttons.choiceText(words)) }
        add("compose.category", draft.category)
        add("compose.image", draft.imageURL)
        add("compose.thread", draft.threadID)
        add("compose.collapse", draft.collapseID)
        if draft.interruption != .active {
            add("compose.interruption", words(draft.interruption.wordKey))
        }
        if draft.sound == .silent { add("compose.sound", words("sound.silent")) }
        self.lines = lines
    }
}
