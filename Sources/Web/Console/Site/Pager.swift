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
        page: Int,
        pageSize: Int,
        shown: Int,
        total: Int?,
        hasMore: Bool,
        words: Words
    ) {
        let before = (page - 1) * pageSize
        isNeeded = hasMore || page > 1
        let range = [
            "first": words.number(shown == 0 ? 0 : before + 1),
            "last": words.number(before + shown),
        ]
        text =
            total.map { total in
                words("pager.text", range.merging(["total": words.number(total)]) { $1 })
            } ?? words("pager.open", range)
        func address(_ page: Int) -> String {
            path.query(fields.setting("page", to: page == 1 ? "" : String(page)))
        }
        previous = page > 1 ? address(page - 1) : nil
        next = hasMore ? address(page + 1) : nil
    }
}
