import Foundation
import WebPages

extension PushHistoryQuery: StateQuery {}

/// The push history (プッシュ通知履歴).
struct PushHistoryPage {
    struct Draft {
        let title: String
        let author: String
        let when: String
        let address: String
        let discardAddress: String
    }

    let rows: [PushRow]
    /// What was written and not sent.
    let drafts: [Draft]
    let hasDrafts: Bool
    let list: ListFrame
    let changesAddress: String
    let exportAddress: String

    init(_ history: PushHistory, drafts: [KeptForm], query: PushHistoryQuery, visit: Visit) {
        self.drafts = drafts.map { draft in
            let id = draft.id.uuidString
            return Draft(
                title: draft.title.isEmpty ? visit.words("draft.untitled") : draft.title,
                author: draft.author,
                when: visit.words.dateAndTime(draft.updatedAt, in: visit.zone),
                address: ConsolePath.pushDraft(id).path,
                discardAddress: ConsolePath.discardPushDraft(id).path
            )
        }
        hasDrafts = !drafts.isEmpty
        rows = history.rows.map { PushRow($0, visit: visit) }
        list = ListFrame(
            query,
            states: [.scheduled, .running, .paused, .done, .cancelled, .failed],
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
