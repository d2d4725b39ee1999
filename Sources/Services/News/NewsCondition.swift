import Foundation
import Model

/// A condition of a list of news: a column, an operator and values.
package struct NewsCondition: Sendable, Hashable {
    /// A comparison of a column with the values; the raw values are on the wire.
    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case equal, notEqual = "not_equal"
        case isIn = "in", notIn = "not_in"
        case atMost = "less_than_include", atLeast = "greater_than_include"
        case between = "between_include", inside = "between_exclude"
        case begins = "like_before", ends = "like_after"
        case contains = "like_both", containsAny = "like_or"
    }

    /// The column of the user's read state: `0001` read, `0002` unread, `ALL`.
    package static let readState = "read_history_kbn"

    package var column: String
    package var comparison: Comparison
    package var values: [String]

    package init(_ column: String, _ comparison: Comparison, _ values: [String]) {
        self.column = column
        self.comparison = comparison
        self.values = values
    }

    func holds(of row: PublishedNews.Row) -> Bool {
        if column == Self.readState {
            switch values.first {
            case "0001": return row.isRead == true
            case "0002": return row.isRead != true
            default: return true
            }
        }
        let value = NewsColumn(column, of: row)
        func isAny(_ accepted: NewsColumn.Order...) -> Bool {
            values.contains { text in
                value.order(against: text).contains { accepted.contains($0) }
            }
        }
        func lies(_ low: [NewsColumn.Order], _ high: [NewsColumn.Order]) -> Bool {
            guard values.count == 2 else { return false }
            return value.order(against: values[0]).contains { low.contains($0) }
                && value.order(against: values[1]).contains { high.contains($0) }
        }
        let texts = value.allTexts.map { $0.lowercased() }
        let parts = values.map { $0.lowercased() }
        func has(_ test: (String, String) -> Bool) -> Bool {
            texts.contains { text in parts.contains { test(text, $0) } }
        }
        return switch comparison {
        case .equal, .isIn: isAny(.same)
        case .notEqual, .notIn: !isAny(.same)
        case .atMost: isAny(.before, .same)
        case .atLeast: isAny(.same, .after)
        case .between: lies([.same, .after], [.before, .same])
        case .inside: lies([.after], [.before])
        case .begins: has { $0.hasPrefix($1) }
        case .ends: has { $0.hasSuffix($1) }
        case .contains, .containsAny: has { $0.contains($1) }
        }
    }
}

/// One column of a list's order.
package struct NewsOrder: Sendable, Hashable {
    package var column: String
    package var isAscending: Bool

    package init(column: String, isAscending: Bool) {
        self.column = column
        self.isAscending = isAscending
    }

    /// Sorts rows, by default the newest first.
    static func sort(_ rows: inout [PublishedNews.Row], by orders: [NewsOrder]) {
        let newest = [
            NewsOrder(column: "release_from_date", isAscending: false),
            NewsOrder(column: "news_id", isAscending: false),
        ]
        let all = orders + newest
        rows.sort { left, right in
            for order in all {
                let columns = (
                    NewsColumn(order.column, of: left), NewsColumn(order.column, of: right)
                )
                // Missing values come last in both directions.
                if columns.0 == .missing || columns.1 == .missing {
                    if let isBefore = columns.0.isBefore(columns.1) { return isBefore }
                    continue
                }
                if let isBefore = columns.0.isBefore(columns.1) {
                    return isBefore == order.isAscending
                }
            }
            return false
        }
    }
}
