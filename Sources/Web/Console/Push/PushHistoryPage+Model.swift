import Foundation
import Model
import Sends
import WebPages

/// A filter on the pushes of the list.
struct PushHistoryQuery: StateQuery {
    var text = ""
    var state: SendPhase?
    var page = ListPage(size: 25)
    /// The start of the first day; `nil` means since ever.
    var from: Date?
    /// The start of the last day; `nil` means no end.
    var until: Date?
    var hidesTests = false
    /// The calendar of the days.
    var days = LocalDays(.gmt)

    /// What an address asks for; days that are none are left out.
    init(_ context: ConsoleContext) {
        self.init(fields: context.query)
        days = LocalDays(context.zone)
        from = days.day(named: context.query["from"])
        until = days.day(named: context.query["until"])
        hidesTests = context.query["tests"] == "hidden"
    }

    init() {}

    var sends: SendQuery {
        var query = SendQuery(text: text, phase: state)
        query.start = from
        query.end = until.map { days.start(of: $0, adding: 1) }
        query.includesTests = !hidesTests
        return query
    }

    var isNarrow: Bool { from != nil || until != nil || hidesTests }
}

/// The push history (プッシュ通知履歴).
struct PushHistoryPage {
    let rows: [PushRow]
    /// Unsent drafts.
    let drafts: DraftList
    let list: ListFrame
    let changesAddress: String
    let exportAddress: String
    /// Days as date fields write them.
    let from: String
    let until: String
    let hidesTests: Bool
    /// The rest of the filter, which these fields keep.
    let others: [ListFrame.Field]

    init(
        _ history: (reports: [SendReport], total: Int),
        drafts: DraftList,
        query: PushHistoryQuery,
        context: ConsoleContext
    ) {
        self.drafts = drafts
        rows = history.reports.map { PushRow($0, context: context) }
        list = ListFrame(
            query,
            states: [
                .scheduled, .running, .paused, .done, .partlyFailed, .failed, .noRecipients,
                .cancelled,
            ],
            label: { context.words($0.wordKey) },
            searchLabel: context.words("push.search"),
            path: .pushHistory,
            newPath: .newPush,
            shown: rows.count,
            total: history.total,
            isNarrow: query.isNarrow,
            context: context
        )
        from = query.from.map(query.days.name) ?? ""
        until = query.until.map(query.days.name) ?? ""
        hidesTests = query.hidesTests
        others = list.fields.entries.filter { !["from", "until", "tests"].contains($0.name) }
            .map(ListFrame.Field.init)
        changesAddress = ConsolePath.pushChanges.path
        exportAddress = ConsolePath.exportPushes.query(list.fields)
    }
}
