import Foundation
import WebPages

extension RecipientQuery {
    init(fields: FormFields) {
        self.init()
        part = Part(rawValue: fields["part"]) ?? .all
        reason = fields["reason"].isEmpty ? nil : fields["reason"]
        after = Int64(fields["after"])
    }
}

extension RecipientQuery.Part {
    var wordKey: String {
        switch self {
        case .all: "push.state.all"
        case .delivered: "push.dispatch.delivered"
        case .received: "push.dispatch.received"
        case .opened: "push.dispatch.opened"
        case .direct: "push.direct"
        case .influenced: "push.influenced"
        case .dismissed: "push.dispatch.dismissed"
        case .rejected: "push.dispatch.rejected"
        case .unknown: "push.dispatch.unknown"
        }
    }
}

/// Whom a push went to, device by device.
struct RecipientsPage {
    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let title: String
    let pushAddress: String
    let reason: String?
    let filters: [Filter]
    let rows: [PushDetailPage.Dispatch]
    let isEmpty: Bool
    let nextAddress: String?
    let exportAddress: String

    /// `query.limit` is one more than the page shows.
    init(
        _ found: [RecipientRow],
        of push: PushSummary,
        query: RecipientQuery,
        visit: Visit
    ) {
        let words = visit.words
        let number = String(push.number)
        let shown = found.prefix(query.limit - 1)
        title = push.title.isEmpty ? words("push.app_name") : push.title
        pushAddress = ConsolePath.push(number).path
        reason = query.reason
        filters = RecipientQuery.Part.allCases.map { part in
            Filter(
                label: words(part.wordKey),
                address: ConsolePath.recipients(number).query(
                    FormFields([]).setting("part", to: part == .all ? "" : part.rawValue)
                ),
                isCurrent: query.reason == nil && part == query.part
            )
        }
        rows = shown.map { PushDetailPage.Dispatch($0.dispatch, visit: visit) }
        isEmpty = rows.isEmpty
        let fields = visit.query.setting("notice", to: "")
        nextAddress =
            found.count == query.limit
            ? shown.last.map { last in
                ConsolePath.recipients(number).query(
                    fields.setting("after", to: String(last.cursor))
                )
            } : nil
        exportAddress = ConsolePath.exportRecipients(number).query(fields.setting("after", to: ""))
    }
}
