import Analytics
import Model
import WebPages

/// A question that is often asked, with the address of its answer.
struct ReportSuggestion {
    /// How many of the app's own events a funnel to a purchase goes through.
    private static let ownSteps = 2

    let text: String
    let address: String

    /// - Parameter events: The app's own events with their counts.
    static func all(_ events: [EventCatalog.Event], _ words: Words) -> [ReportSuggestion] {
        // What is done less often tends to come later.
        let frequent = events.map { (name: $0.summary.name, count: $0.days.reduce(0, +)) }
            .filter { $0.count > 0 }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
            .prefix(ownSteps)
        let way = ["session"] + frequent.map { "event:\($0.name)" } + ["purchase"]
        func suggestion(
            _ key: String,
            _ kind: ReportKind,
            _ fields: [(name: String, value: String)]
        ) -> ReportSuggestion {
            ReportSuggestion(text: words(key), address: kind.page.query(FormFields(fields)))
        }
        return [
            suggestion("reports.ask.drop", .funnel, way.map { ("step", $0) }),
            suggestion(
                "reports.ask.return",
                .retention,
                [("first", "purchase"), ("returning", "purchase")]
            ),
            suggestion("reports.ask.next", .paths, [("start", "purchase")]),
            suggestion("reports.ask.revenue", .series, [("figure", ReportForm.revenue)]),
        ]
    }
}
