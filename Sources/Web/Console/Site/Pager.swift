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
        total: Int,
        words: Words
    ) {
        let first = min(total, (page - 1) * pageSize + 1)
        let last = min(total, page * pageSize)
        isNeeded = total > pageSize || page > 1
        text = words(
            "pager.text",
            [
                "first": words.number(first), "last": words.number(last),
                "total": words.number(total),
            ]
        )
        func address(_ page: Int) -> String {
            path.query(fields.setting("page", to: page == 1 ? "" : String(page)))
        }
        previous = page > 1 ? address(page - 1) : nil
        next = last < total ? address(page + 1) : nil
    }
}
