import Foundation
import Model
import Scheduling

/// A rehearsal as a page of its own, without scripts: a calendar of numbers, and what they are made of.
package struct RehearsalPage {
    private let result: RehearsalResult

    package init(_ result: RehearsalResult) { self.result = result }

    package var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Rehearsal of \(result.settings.days) days</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>Rehearsal of \(result.settings.days) days</h1>
        <p>\(introduction)</p>
        \(problems)
        <h2>Messages by day</h2>
        <div class="wide">\(calendar)</div>
        <h2>Sources</h2>
        <div class="wide">\(totals)</div>
        <h2>Days</h2>
        \(details)
        </main>
        </body>
        </html>

        """
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1d1b16; --soft: #6d675c; --line: #ddd6c8; --paper: #fbf9f4; \
        --fill: 178, 84, 24; }
        @media (prefers-color-scheme: dark) { :root { --ink: #eee8dc; --soft: #a79f90; --line: #423d34; \
        --paper: #1b1915; --fill: 224, 140, 72; } }
        body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 0; }
        main { margin: 0 auto; max-width: 72rem; padding: 2rem 1rem; }
        h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; }
        th, td { border-bottom: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left; \
        vertical-align: top; }
        td.number { font-variant-numeric: tabular-nums; text-align: right; }
        svg text { fill: var(--ink); font: 11px system-ui, sans-serif; }
        svg .soft { fill: var(--soft); }
        svg rect { fill: rgb(var(--fill)); stroke: var(--line); }
        details { border-bottom: 1px solid var(--line); padding: .4rem 0; }
        summary { cursor: pointer; }
        .example { color: var(--soft); white-space: pre-line; }
        .problem { border-left: 3px solid rgb(var(--fill)); padding-left: .8rem; }
        @media print { .wide { overflow: visible; } }
        """

    private var introduction: String {
        Self.escaped(
            """
            From \(Timestamp.format(result.settings.from)), in the days of \(result.zone.identifier). \
            \(result.people) people; they \(RehearsalText.behavior(result)). Seed \(result.settings.seed).
            """
        )
    }

    private var problems: String {
        result.problems.map { "<p class=\"problem\">Not sent: \(Self.escaped($0.description))</p>" }
            .joined()
    }

    // MARK: Calendar

    private var calendar: String {
        let calendar = RehearsalCalendar(result)
        guard !calendar.lines.isEmpty else { return "<p>Nobody gets anything.</p>" }
        let (width, height) = RehearsalCalendar.cell
        let size = (calendar.width, calendar.height)
        var parts = [
            """
            <svg width="\(size.0)" height="\(size.1)" viewBox="0 0 \(size.0) \(size.1)" role="img" \
            aria-label="Messages by day and source; the table below has the same numbers">
            """
        ]
        parts += calendar.months.map {
            "<text class=\"soft\" x=\"\($0.x)\" y=\"14\">\($0.text)</text>"
        }
        parts += calendar.days.map {
            "<text class=\"soft\" x=\"\($0.x)\" y=\"31\" text-anchor=\"middle\">\($0.text)</text>"
        }
        for line in calendar.lines {
            parts.append("<text x=\"0\" y=\"\(line.baseline)\">\(Self.escaped(line.label))</text>")
            parts += line.cells.map { cell in
                """
                <g><title>\(Self.escaped(line.source.name)), \(cell.day): \(cell.count)</title>\
                <rect x="\(cell.x)" y="\(cell.y)" width="\(width)" height="\(height)" \
                fill-opacity="\(cell.shade)"/>\
                <text x="\(cell.middle)" y="\(cell.baseline)" text-anchor="middle">\(cell.text)</text></g>
                """
            }
        }
        parts.append("</svg>")
        return parts.joined(separator: "\n")
    }

    // MARK: Tables

    private var totals: String {
        let rows = result.sources.map { source -> String in
            let numbers = [
                result.total(source, \.sent), result.total(source, \.refused.sum),
                result.total(source, \.skipped.sum), result.total(source, \.leftOut.sum),
                result.total(source, \.control),
            ]
            return "<tr><td>\(source.kind.rawValue)</td><td>\(Self.escaped(source.name))</td>"
                + numbers.map { "<td class=\"number\">\($0)</td>" }.joined() + "</tr>"
        }
        return """
            <table><thead><tr><th>Kind</th><th>Name</th><th>Sent</th><th>Refused</th><th>Skipped</th>\
            <th>Left out</th><th>Control group</th></tr></thead><tbody>\(rows.joined())</tbody></table>
            """
    }

    private var details: String {
        result.calendar.map { day, entries in
            let total = entries.reduce(0) { $0 + $1.found.sent }
            let rows = entries.map { source, found in
                let first = WallClock.reading(of: found.first, in: result.zone).time
                let last = WallClock.reading(of: found.last, in: result.zone).time
                let why = [
                    ("refused", found.refused), ("skipped", found.skipped),
                    ("left out", found.leftOut),
                ].filter { !$0.1.isEmpty }
                    .map { "\($0): \(RehearsalText.list($1))" }
                let example = found.example.map {
                    [$0.title, $0.body].filter { !$0.isEmpty }.joined(separator: "\n")
                }
                return """
                    <tr><td>\(first == last ? "\(first)" : "\(first)–\(last)")</td>\
                    <td>\(Self.escaped(source.name))</td><td class="number">\(found.sent)</td>\
                    <td>\(Self.escaped(RehearsalText.list(found.languages)))<br>\
                    \(Self.escaped(RehearsalText.list(found.platforms)))</td>\
                    <td>\(Self.escaped(why.joined(separator: "; ")))</td>\
                    <td class="example">\(Self.escaped(example ?? ""))</td></tr>
                    """
            }
            return """
                <details><summary>\(day): \(total) messages</summary><div class="wide"><table><thead><tr>\
                <th>Time</th><th>Source</th><th>Sent</th><th>Languages and platforms</th><th>Not sent</th>\
                <th>Example</th></tr></thead><tbody>\(rows.joined())</tbody></table></div></details>
                """
        }.joined(separator: "\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }
}
