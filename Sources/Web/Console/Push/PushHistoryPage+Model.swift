import WebPages

extension PushHistoryQuery {
    init(fields: FormFields) {
        self.init()
        text = fields["text"]
        state = PushState(rawValue: fields["state"])
        page = max(1, Int(fields["page"]) ?? 1)
    }
}

/// The push history (プッシュ通知履歴).
struct PushHistoryPage {
    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let rows: [PushRow]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let filters: [Filter]
    let text: String
    let state: String
    let action: String
    let mayWrite: Bool
    let newPushAddress: String
    let changesAddress: String
    let exportAddress: String
    let pager: Pager

    init(_ history: PushHistory, query: PushHistoryQuery, visit: Visit) {
        rows = history.rows.map { PushRow($0, visit: visit) }
        isEmpty = rows.isEmpty
        isUnfiltered = query.text.isEmpty && query.state == nil && query.page == 1
        text = query.text
        state = query.state?.rawValue ?? ""
        action = ConsolePath.pushHistory.path
        mayWrite = visit.may(.marketer)
        newPushAddress = ConsolePath.newPush.path
        changesAddress = ConsolePath.pushChanges.path
        let fields = visit.query.setting("page", to: "").setting("notice", to: "")
        exportAddress = ConsolePath.exportPushes.query(fields)
        let states: [PushState?] = [nil, .scheduled, .running, .done, .cancelled, .failed]
        filters = states.map { state in
            Filter(
                label: visit.words(state?.wordKey ?? "push.state.all"),
                address: ConsolePath.pushHistory.query(
                    fields.setting("state", to: state?.rawValue ?? "")
                ),
                isCurrent: state == query.state
            )
        }
        pager = Pager(
            path: .pushHistory,
            fields: fields,
            page: query.page,
            pageSize: query.pageSize,
            shown: rows.count,
            total: history.total,
            hasMore: query.page * query.pageSize < history.total,
            words: visit.words
        )
    }
}
