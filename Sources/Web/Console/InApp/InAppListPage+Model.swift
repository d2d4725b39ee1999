import Foundation
import Model
import NoroshiWire
import WebPages

/// A filter on the messages of a list.
struct InAppListQuery: StateQuery {
    var text = ""
    var state: InAppMessageDefinition.State?
    var page = ListPage(size: 25)

    var stored: InAppMessageQuery {
        InAppMessageQuery(
            text: text,
            states: state.map { [$0] } ?? Set(InAppMessageDefinition.State.allCases),
            limit: page.size,
            offset: page.offset
        )
    }
}

/// The list of in-app messages.
struct InAppListPage {
    struct Row {
        let address: String
        let name: String
        let kind: String
        let trigger: String
        let phase: String
        let tone: String
        let period: String
        let impressions: String
        let clicks: String
        let rate: String
        let changed: Moment
    }

    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList

    init(
        _ messages: [InAppMessageDefinition],
        total: Int,
        counts: [UUID: InAppMessageCounts],
        query: InAppListQuery,
        drafts: DraftList,
        context: ConsoleContext
    ) {
        self.drafts = drafts
        let words = context.words
        rows = messages.map { stored in
            let rules = stored.message.rules
            let counts = counts[stored.id] ?? InAppMessageCounts()
            return Row(
                address: ConsolePath.inAppMessage(stored.message.id).path,
                name: stored.name,
                kind: words(stored.message.kind.wordKey),
                trigger: rules.triggers.map { InAppForm.Trigger($0).text(words) }
                    .joined(separator: ", "),
                phase: words(stored.state.wordKey),
                tone: stored.state.tone,
                period: Period(rules, context).text,
                impressions: words.number(counts.impressions),
                clicks: words.number(counts.allClicks),
                rate: words.percent(counts.allClicks, of: counts.impressions),
                changed: context.moment(stored.updatedAt)
            )
        }
        self.list = ListFrame(
            query,
            states: InAppMessageDefinition.State.allCases,
            label: { words($0.wordKey) },
            searchLabel: words("in_app.search"),
            path: .inApp,
            newPath: .newInApp,
            shown: rows.count,
            total: total,
            context: context
        )
    }
}

extension Period {
    /// When a message may be shown.
    init(_ rules: InAppMessageRules, _ context: ConsoleContext) {
        self.init(
            rules.startsAtMilliseconds.map { Date(milliseconds: $0) },
            rules.expiresAtMilliseconds.map { Date(milliseconds: $0) },
            context
        )
    }
}
