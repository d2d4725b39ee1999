import Foundation
import Model
import Sends
import WebPages

/// A filter on the pushes of the list.
struct PushHistoryQuery: StateQuery {
    var text = ""
    var state: SendPhase?
    var page = ListPage(size: 25)
}

/// The push history (プッシュ通知履歴).
struct PushHistoryPage {
    let rows: [PushRow]
    /// Unsent drafts.
    let drafts: DraftList
    let list: ListFrame
    let changesAddress: String
    let exportAddress: String

    init(
        _ history: (reports: [SendReport], total: Int),
        drafts: DraftList,
        query: PushHistoryQuery,
        visit: Visit
    ) {
        self.drafts = drafts
        rows = history.reports.map { PushRow($0, visit: visit) }
        list = ListFrame(
            query,
            states: [
                .scheduled, .running, .paused, .done, .partlyFailed, .failed, .noRecipients,
                .cancelled,
            ],
            label: { visit.words($0.wordKey) },
            searchLabel: visit.words("push.search"),
            path: .pushHistory,
            newPath: .newPush,
            shown: rows.count,
            total: history.total,
            visit: visit
        )
        changesAddress = ConsolePath.pushChanges.path
        exportAddress = ConsolePath.exportPushes.query(list.fields)
    }
}
