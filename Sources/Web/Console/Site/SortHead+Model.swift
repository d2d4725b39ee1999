import Model
import WebPages

/// The head of a column by which a list can be ordered.
struct SortHead {
    let label: String
    let address: String
    let isCurrent: Bool
    let isRight: Bool

    /// - Parameters:
    ///   - order: What the list is ordered by when the head is followed.
    ///   - current: What it is ordered by now.
    ///   - isRight: Whether the column holds figures, the largest first.
    init<Order: RawRepresentable<String> & Equatable>(
        _ order: Order,
        _ key: String,
        current: Order,
        path: ConsolePath,
        isRight: Bool = true,
        context: ConsoleContext
    ) {
        label = context.words(key)
        isCurrent = order == current
        self.isRight = isRight
        // Asked for once more, the newest come first again.
        address = path.query(
            context.query.setting("page", to: "").setting("notice", to: "")
                .setting("order", to: isCurrent ? "" : order.rawValue)
        )
    }
}
