import JSON
import Model
import NoroshiWire

/// An answer as a table, for files and for people who read no picture.
package struct ReportTable: Sendable, Hashable {
    package var columns: [String]
    /// Texts, numbers without separators; empty where there is nothing.
    package var rows: [[String]]

    package init(columns: [String], rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    /// What a group is called: its kind and its value.
    package typealias Name = (ReportGroup) -> String

    /// The form of CSV files (RFC 4180), with a line for the columns' names.
    package var csv: String {
        ([columns] + rows)
            .map { $0.map(Self.field).joined(separator: ",") + "\r\n" }
            .joined()
    }

    /// An object with the names of the columns and the rows.
    package var json: String {
        JSONWriter.text(
            JSONValue.object([
                "columns": .array(columns.map(JSONValue.string)),
                "rows": .array(rows.map { .array($0.map(JSONValue.string)) }),
            ])
        )
    }

    private static func field(_ value: String) -> String {
        // A negative number is none of a formula's beginnings.
        let text = Double(value) == nil ? SpreadsheetText.marked(value) : value
        guard text.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// A number as files have it; empty without one.
    package static func text(_ number: Double?) -> String {
        guard let number else { return "" }
        return Int64(exactly: number).map(String.init) ?? String(number)
    }
}

extension ReportGroup {
    /// A word for the kind, in files and answers.
    package var kind: String {
        switch self {
        case .value: "value"
        case .segment: "segment"
        case .missing: "missing"
        case .other: "other"
        }
    }
}

extension FunnelAnswer {
    package func table(_ name: ReportTable.Name) -> ReportTable {
        let all = steps.enumerated().map { number, step in
            [
                "all", "", String(number + 1), String(step.users),
                ReportTable.text(step.averageSeconds),
                step.medianSeconds.map { String($0) } ?? "",
            ]
        }
        let parts = groups.flatMap { group in
            group.users.enumerated().map { number, users in
                [group.group.kind, name(group.group), String(number + 1), String(users), "", ""]
            }
        }
        return ReportTable(
            columns: ["group_kind", "group", "step", "users", "average_seconds", "median_seconds"],
            rows: all + parts
        )
    }
}

extension RetentionAnswer {
    package func table(_ name: ReportTable.Name) -> ReportTable {
        let cells = cohorts.map { cohort in
            ["all", "", cohort.interval.name, String(cohort.users)]
                + cohort.returned.map { $0.map { String($0) } ?? "" }
        }
        let curves = ([total] + groups).map { curve in
            [
                curve.group?.kind ?? "all", curve.group.map(name) ?? "", "",
                String(curve.users),
            ] + curve.returned.map { String($0) }
        }
        return ReportTable(
            columns: ["group_kind", "group", "start", "users"]
                + total.returned.indices.map { "interval_\($0)" },
            rows: cells + curves
        )
    }
}

extension SeriesAnswer {
    package func table(_ name: ReportTable.Name) -> ReportTable {
        func rows(_ kind: String, _ group: String, _ line: Line, _ previous: Line?) -> [[String]] {
            intervals.enumerated().map { place, interval in
                var row = [
                    kind, group, interval.name, ReportTable.text(value(line.intervals[place])),
                ]
                if let previous {
                    row += [
                        previousIntervals[place].name,
                        ReportTable.text(value(previous.intervals[place])),
                    ]
                }
                return row
            }
        }
        return ReportTable(
            columns: ["group_kind", "group", "start", "value"]
                + (previous == nil ? [] : ["previous_start", "previous_value"]),
            rows: rows("all", "", line, previous)
                + groups.flatMap { rows($0.group.kind, name($0.group), $0.line, $0.previous) }
        )
    }
}

extension PathsAnswer {
    /// A row for each way from one step to the next.
    package func table() -> ReportTable {
        var rows: [[String]] = []
        var previous = [Node(.kind(start), users: users)]
        for (number, step) in steps.enumerated() {
            for link in step.links {
                let (from, to) = (previous[link.from].place, step.nodes[link.to].place)
                rows.append([
                    String(number + 1), from.kind, from.name, to.kind, to.name,
                    String(link.users),
                ])
            }
            previous = step.nodes
        }
        return ReportTable(
            columns: ["step", "from_kind", "from", "to_kind", "to", "users"],
            rows: rows
        )
    }
}

extension PathsAnswer.Place {
    /// A word for the kind, in files and answers.
    package var kind: String {
        switch self {
        case .kind(let kind): kind.word
        case .other: "other"
        case .end: "end"
        }
    }

    /// The event's name; empty for everything else.
    package var name: String {
        if case .kind(.event(let name)) = self { name } else { "" }
    }
}

extension PathKind {
    /// A word for it, in files and answers.
    package var word: String {
        switch self {
        case .session: "session"
        case .event: "event"
        case .purchase: "purchase"
        }
    }
}
