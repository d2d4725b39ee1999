import Model
import WebPages

/// Where a member is signed in, with forms that end one sign-in or several.
struct SessionsPart {
    struct Row {
        let id: String
        let browser: String
        let address: String
        let since: Moment
        let seen: Moment
        let isThis: Bool
        let endLabel: String
    }

    let rows: [Row]
    let isEmpty: Bool
    let action: String
    /// Ends all but the current one; `nil` if there are no others.
    let endAll: String?

    /// - Parameter present: The identifier of the session that asks.
    init(
        _ sessions: [ConsoleSession],
        present: String,
        action: ConsolePath,
        context: ConsoleContext
    ) {
        let words = context.words
        rows = sessions.map { session in
            let browser = BrowserName(userAgent: session.userAgent).text(words)
            return Row(
                id: session.id,
                browser: browser,
                address: session.address ?? "–",
                since: context.moment(session.startedAt),
                seen: context.moment(session.lastSeenAt),
                isThis: session.id == present,
                endLabel: words("sessions.end_one", ["browser": browser])
            )
        }
        isEmpty = rows.isEmpty
        self.action = action.path
        let isOwn = rows.contains(where: \.isThis)
        let others = rows.filter { !$0.isThis }
        endAll =
            others.isEmpty ? nil : words(isOwn ? "sessions.end_others" : "sessions.end_all")
    }
}
