import Model
import WebPages

/// The common parts of lists with states: filters, a search, pages, and the link to create an
/// object.
struct ListFrame {
    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    struct Field {
        let name: String
        let value: String
    }

    let filters: [Filter]
    let text: String
    /// The rest of the filter and the order, which a search keeps.
    let kept: [Field]
    let searchLabel: String
    let action: String
    let isEmpty: Bool
    let isUnfiltered: Bool
    let mayWrite: Bool
    let newAddress: String
    let pager: Pager
    /// The query fields without the page.
    let fields: FormFields

    init<State: RawRepresentable<String> & Equatable>(
        _ query: some StateQuery<State>,
        states: [State],
        label: (State) -> String,
        searchLabel: String,
        path: ConsolePath,
        newPath: ConsolePath,
        shown: Int,
        total: Int,
        isNarrow: Bool = false,
        context: ConsoleContext
    ) {
        let fields = context.query.setting("page", to: "").setting("notice", to: "")
        self.fields = fields
        text = query.text
        kept = fields.entries.filter { $0.name != "text" }.map(Field.init)
        self.searchLabel = searchLabel
        action = path.path
        isEmpty = shown == 0
        isUnfiltered =
            query.text.isEmpty && query.state == nil && query.page.isFirst && !isNarrow
        mayWrite = context.hasRole(atLeast: .marketer)
        newAddress = newPath.path
        filters = ([nil] + states.map(Optional.some)).map { state in
            Filter(
                label: state.map(label) ?? context.words("push.state.all"),
                address: path.query(fields.setting("state", to: state?.rawValue ?? "")),
                isCurrent: state == query.state
            )
        }
        pager = Pager(
            path: path,
            fields: fields,
            page: query.page,
            shown: shown,
            total: total,
            hasMore: query.page.hasMore(of: total),
            words: context.words
        )
    }
}

/// A request for one page of objects in a state.
protocol StateQuery<State> {
    associatedtype State: RawRepresentable<String>

    init()
    var text: String { get set }
    var state: State? { get set }
    var page: ListPage { get set }
}

extension StateQuery {
    init(fields: FormFields) {
        self.init()
        text = fields.trimmed("text")
        state = State(rawValue: fields["state"])
        page = ListPage(named: fields["page"], size: page.size)
    }
}
