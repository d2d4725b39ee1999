import Foundation
import Model
import WebPages

/// What one user got and did so far, in a row of figures.
struct UserFiguresPart {
    struct Figure {
        let label: String
        let value: String
        /// Each on a line of its own.
        let notes: [String]
    }

    let figures: [Figure]

    init(_ figures: UserFigures, context: ConsoleContext) {
        let words = context.words
        func figure(_ label: String, _ value: String, _ notes: [String]) -> Figure {
            Figure(
                label: words(label),
                value: value,
                notes: notes.filter { !$0.isEmpty }
            )
        }
        func counted(_ key: String, _ count: Int) -> String {
            // The number stays on a line with the last word.
            "\(words(key))\u{a0}\(words.number(count))"
        }
        let pushes = figures.pushes
        self.figures = [
            figure(
                "push.delivered",
                words.number(pushes.delivered),
                [counted("push.received", pushes.received)]
            ),
            figure(
                "push.opened",
                words.number(pushes.opened),
                [
                    counted("push.direct", pushes.directOpens),
                    counted("push.influenced", pushes.influencedOpens),
                ]
            ),
            figure(
                "users.in_app_shown",
                words.number(figures.inApp.impressions),
                [counted("in_app.clicks", figures.inApp.allClicks)]
            ),
            figure(
                "overview.sessions",
                words.number(figures.sessions),
                [
                    figures.firstSessionAt.map {
                        words("users.since", ["day": words.dayOfYear($0, in: context.zone)])
                    } ?? ""
                ]
            ),
            Self.revenue(figures, context),
        ]
    }

    /// Amounts in several currencies are not added up: the workspace's comes first.
    private static func revenue(_ figures: UserFigures, _ context: ConsoleContext) -> Figure {
        let words = context.words
        let home = context.home.currency
        let amounts = figures.revenue.sorted {
            ($0.key != home ? 1 : 0, $0.key) < ($1.key != home ? 1 : 0, $1.key)
        }
        let others = amounts.dropFirst().map { "\($0.key) \(words.amount($0.value))" }
        let conversions = "\(words("campaigns.conversions")) \(words.number(figures.conversions))"
        return Figure(
            label: words("overview.revenue", ["currency": amounts.first?.key ?? home]),
            value: words.amount(amounts.first?.value ?? 0),
            notes: others + [conversions]
        )
    }
}
