import Model
import WebPages

/// A filter on the entries of a page.
struct AuditLogQuery {
    let text: String
    let author: String?
    let origin: AuditRecord.Origin?
    let page: ListPage

    init(fields: FormFields) {
        text = fields.trimmed("text")
        author = fields["author"].isEmpty ? nil : fields["author"]
        origin = AuditRecord.Origin(rawValue: fields["origin"])
        page = ListPage(named: fields["page"], size: 50)
    }
}

/// The audit log.
struct AuditPage {
    struct Entry {
        let author: String
        let origin: String
        let action: String
        /// Whether the action is the permission of an API key, which is shown unchanged.
        let isCode: Bool
        let subject: String
        let detail: String
        let moment: Moment
    }

    let entries: [Entry]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let text: String
    let authors: [SettingsChoice]
    let origins: [SettingsChoice]
    let action: String
    let pager: Pager

    init(
        _ records: [AuditRecord],
        total: Int,
        authors: [String],
        query: AuditLogQuery,
        context: ConsoleContext
    ) {
        let words = context.words
        entries = records.map { entry in
            let known = AuditAction(rawValue: entry.action)
            return Entry(
                author: entry.author,
                origin: words(entry.origin.wordKey),
                action: known.map { words($0.wordKey) } ?? entry.action,
                isCode: known == nil,
                subject: entry.subject,
                detail: entry.detail,
                moment: context.moment(entry.at)
            )
        }
        isEmpty = entries.isEmpty
        isUnfiltered =
            query.text.isEmpty && query.author == nil && query.origin == nil && query.page.isFirst
        text = query.text
        self.authors =
            [SettingsChoice(value: "", label: words("audit.everyone"), isChosen: false)]
            + authors.map {
                SettingsChoice(value: $0, label: $0, isChosen: $0 == query.author)
            }
        origins =
            [SettingsChoice(value: "", label: words("audit.everywhere"), isChosen: false)]
            + AuditRecord.Origin.allCases.map {
                SettingsChoice(
                    value: $0.rawValue,
                    label: words($0.wordKey),
                    isChosen: $0 == query.origin
                )
            }
        action = ConsolePath.auditLog.path
        pager = Pager(
            path: .auditLog,
            fields: context.query.setting("page", to: ""),
            page: query.page,
            shown: entries.count,
            total: total,
            hasMore: query.page.hasMore(of: total),
            words: words
        )
    }
}

extension AuditRecord.Origin {
    var wordKey: String { "audit.origin." + rawValue }
}
