import Foundation
import Model
import WebPages

extension NewsState {
    var wordKey: String {
        switch self {
        case .draft: "news.phase.draft"
        case .scheduled: "news.phase.scheduled"
        case .published: "news.phase.published"
        case .ended: "news.phase.ended"
        }
    }

    var tone: String {
        switch self {
        case .draft, .ended: "quiet"
        case .scheduled: "warn"
        case .published: "good"
        }
    }
}

/// A filter on the news of a list.
struct NewsListQuery: StateQuery {
    var text = ""
    var state: NewsState?
    var page = ListPage(size: 25)
}

/// The news list (お知らせ一覧).
struct NewsListPage {
    struct Row {
        let address: String
        let title: String
        let category: String?
        let phase: String
        let tone: String
        let period: String
        let reads: String
        let changed: Moment
        let pushAddress: String?
        let pushLabel: String
    }

    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList

    init(
        _ items: [NewsItem],
        total: Int,
        reads: [NewsID: Int],
        query: NewsListQuery,
        drafts: DraftList,
        context: ConsoleContext
    ) {
        self.drafts = drafts
        let words = context.words
        rows = items.map { item in
            let content = item.content
            let state = content.state(at: context.now)
            return Row(
                address: ConsolePath.newsItem(item.id.text).path,
                title: content.title,
                category: content.category.isEmpty ? nil : content.category,
                phase: words(state.wordKey),
                tone: state.tone,
                period: Period(content.releaseFrom, content.releaseEnd, context).text,
                reads: words.number(reads[item.id] ?? 0),
                changed: context.moment(item.updatedAt),
                pushAddress: context.hasRole(atLeast: .marketer) ? NewsPush(item).address : nil,
                pushLabel: words("news.push_this", ["title": content.title])
            )
        }
        self.list = ListFrame(
            query,
            states: NewsState.allCases,
            label: { words($0.wordKey) },
            searchLabel: words("news.search"),
            path: .news,
            newPath: .newNews,
            shown: rows.count,
            total: total,
            context: context
        )
    }
}

/// The address of the composer with a news item filled in.
struct NewsPush {
    let address: String

    init(_ item: NewsItem, url: String = "") {
        address = ConsolePath.newPush.query(
            FormFields([
                ("newsID", item.id.text), ("newsTenant", item.tenantID),
                ("message", item.content.title),
            ])
            .setting("url", to: url)
        )
    }
}

/// The editor of one news item.
struct NewsEditorPage {
    struct Fault {
        let field: String
        let label: String
        let text: String
    }

    struct Field {
        let value: String
        let fault: String?
    }

    let heading: String
    let phase: String?
    let tone: String?
    let reads: String?
    let author: String?
    let changed: Moment?
    let faults: [Fault]
    let hasFaults: Bool
    let title: Field
    let text: Field
    let tenant: String
    let category: String
    let tags: Field
    let url: Field
    let imageURL: Field
    let attributes: Field
    let isDraft: Bool
    let isNow: Bool
    let isLater: Bool
    let nowLabel: String
    let releaseFrom: Field
    let releaseEnd: Field
    let zoneHelp: String
    let hasMore: Bool
    let action: String
    let listAddress: String
    let deleteAddress: String?
    let pushAddress: String?
    let mayWrite: Bool
    let clock: String
    let dayText: String
    let categories: String?
    /// The draft in which it is stored while it is edited; `nil` for members who can only read.
    let draft: DraftFrame?

    init(
        _ form: NewsForm,
        known: NewsItem?,
        readers: Int,
        draft: DraftFrame?,
        faults: [FormFieldError],
        context: ConsoleContext
    ) {
        self.draft = draft
        let words = context.words
        func field(_ name: NewsField, _ value: String) -> Field {
            Field(value: value, fault: faults.first { $0.field == name.rawValue }?.text)
        }
        heading = known?.content.title ?? words("news.new")
        let state = known?.content.state(at: context.now)
        phase = state.map { words($0.wordKey) }
        tone = state?.tone
        reads = known == nil ? nil : words.counted("news.reads", readers)
        author = known?.author
        changed = known.map { context.moment($0.updatedAt) }
        self.faults = faults.map {
            Fault(
                field: $0.field,
                label: NewsField(rawValue: $0.field).map { words($0.wordKey) } ?? "",
                text: $0.text
            )
        }
        hasFaults = !faults.isEmpty
        title = field(.title, form.title)
        text = field(.text, form.text)
        tenant = form.tenant
        category = form.category
        tags = field(.tags, form.tags)
        url = field(.url, form.url)
        imageURL = field(.imageURL, form.imageURL)
        attributes = field(.attributes, form.attributes)
        isDraft = form.publication == .draft
        isNow = form.publication == .now
        isLater = form.publication == .later
        let isOut = state == .published
        nowLabel = words(isOut ? "news.keep_published" : "news.publish_now")
        releaseFrom = field(.releaseFrom, form.releaseFrom)
        releaseEnd = field(.releaseEnd, form.releaseEnd)
        zoneHelp = words("compose.deliver_at_help", ["zone": context.zone.identifier])
        let later: [NewsField] = [.tags, .attributes]
        hasMore =
            !form.tags.isEmpty || !form.tenant.isEmpty || !form.attributes.isEmpty
            || faults.contains { fault in later.contains { $0.rawValue == fault.field } }
        action = (known.map { .newsItem($0.id.text) } ?? ConsolePath.newNews).path
        listAddress = ConsolePath.news.path
        mayWrite = context.hasRole(atLeast: .marketer)
        deleteAddress =
            mayWrite ? known.map { ConsolePath.deleteNews($0.id.text).path } : nil
        pushAddress =
            mayWrite ? known.map { NewsPush($0, url: $0.content.url).address } : nil
        clock = words.clock(context.now, in: context.zone)
        dayText = words.longDay(context.now, in: context.zone)
        categories = form.category.isEmpty ? nil : form.category
    }
}

extension NewsField {
    var wordKey: String {
        switch self {
        case .title: "news.title"
        case .text: "news.text"
        case .url: "compose.url"
        case .imageURL: "compose.image"
        case .tags: "news.tags"
        case .attributes: "news.attributes"
        case .releaseFrom: "news.release_from"
        case .releaseEnd: "news.release_end"
        }
    }
}

extension NewsID {
    /// The id in addresses.
    var text: String { String(rawValue) }
}
