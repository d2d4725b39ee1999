import Model
import WebPages

/// The links between the pages of a list.
struct Pager {
    let isNeeded: Bool
    let text: String
    let previous: String?
    let next: String?

    init(
        path: ConsolePath,
        fields: FormFields,
        page: ListPage,
        shown: Int,
        total: Int?,
        hasMore: Bool,
        words: Words
    ) {
        let before = page.offset
        isNeeded = hasMore || !page.isFirst
        let range = [
            "first": words.number(shown == 0 ? 0 : before + 1),
            "last": words.number(before + shown),
        ]
        text =
            total.map { total in
                words("pager.text", range.merging(["total": words.number(total)]) { $1 })
            } ?? words("pager.open", range)
        func address(_ page: ListPage) -> String {
            path.query(fields.setting("page", to: page.isFirst ? "" : String(page.number)))
        }
        previous = page.previous.map(address)
        next = hasMore && page.next != page ? address(page.next) : nil
    }
}
