import Foundation
import Model
import Scheduling

/// A rehearsal as a text that is the same on every machine, for review and for comparison.
package struct RehearsalText {
    private let result: RehearsalResult

    package init(_ result: RehearsalResult) { self.result = result }

    /// The text, with a line end.
    package var text: String {
        (head + [""] + summary + calendar).joined(separator: "\n") + "\n"
    }

    private var head: [String] {
        let settings = result.settings
        var lines = [
            "Rehearsal of \(settings.days) days from \(Timestamp.format(settings.from))",
            "\(result.people) people, times of \(result.zone.identifier), seed \(settings.seed)",
        ]
        lines.append("people " + Self.behavior(result))
        if result.calls > 0 { lines.append("\(result.calls) calls of webhooks") }
        if result.unasked > 0 {
            lines.append(
                "\(result.unasked) questions of templates to servers, which were not asked"
            )
        }
        lines += result.problems.map { "Not sent: \($0)" }
        return lines
    }

    /// What people do, without the subject.
    static func behavior(_ result: RehearsalResult) -> String {
        let rate = String(format: "%.2f", result.openRate * 100)
        let repeats = "repeat what they did before (\(result.repeated) events)"
        return "open \(rate) % of pushes (\(result.opened)) and "
            + (result.settings.repeatsHistory ? repeats : "do nothing else")
            + (result.signedUp > 0 ? "; \(result.signedUp) sign up" : "")
    }

    private var summary: [String] {
        result.sources.flatMap { source -> [String] in
            var lines = [
                "\(source.kind.rawValue) '\(source.name)': \(result.total(source, \.sent)) messages"
            ]
            func add(_ label: String, _ counts: (RehearsalResult.Day) -> [String: Int]) {
                var total: [String: Int] = [:]
                for day in result.days.values {
                    if let found = day[source] { total.merge(counts(found), uniquingKeysWith: +) }
                }
                if !total.isEmpty { lines.append("  \(label): \(Self.list(total))") }
            }
            add("refused", \.refused)
            add("skipped", \.skipped)
            add("left out", \.leftOut)
            let control = result.total(source, \.control)
            if control > 0 { lines.append("  control group: \(control)") }
            return lines
        } + (result.sources.isEmpty ? ["Nobody gets anything."] : [])
    }

    private var calendar: [String] {
        result.calendar.flatMap { day, entries in
            ["", "\(day)"] + entries.flatMap { lines($0.source, $0.found) }
        }
    }

    private func lines(_ source: RehearsalSource, _ day: RehearsalResult.Day) -> [String] {
        let first = WallClock.reading(of: day.first, in: result.zone).time
        let last = WallClock.reading(of: day.last, in: result.zone).time
        var lines = [
            (first == last ? "  \(first)" : "  \(first)–\(last)")
                + "  \(source.kind.rawValue) '\(source.name)'"
        ]
        if day.sent > 0 {
            var line =
                "    sent \(day.sent): \(Self.list(day.languages)); \(Self.list(day.platforms))"
            if !day.variants.isEmpty { line += "; variants \(Self.list(day.variants))" }
            lines.append(line)
        }
        for (label, counts) in [
            ("refused", day.refused), ("skipped", day.skipped), ("left out", day.leftOut),
        ] where !counts.isEmpty {
            lines.append("    \(label) \(counts.sum): \(Self.list(counts))")
        }
        if day.control > 0 { lines.append("    control group \(day.control)") }
        if let example = day.example {
            let parts = [example.title, example.body].filter { !$0.isEmpty }
            lines.append(
                "    \(example.user): "
                    + parts.map { $0.replacing("\n", with: " ⏎ ") }.joined(separator: " — ")
            )
        }
        lines.append("    rows \(String(day.digest, radix: 16))")
        return lines
    }

    static func list(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key.isEmpty ? "–" : $0.key) \($0.value)" }.joined(separator: ", ")
    }

    /// The lines by which this text differs from an expected one: `-` for what was expected, `+` for what is;
    /// empty if they are the same.
    ///
    /// - Parameter context: Lines without a difference that are kept around one.
    package func difference(from expected: String, context: Int = 2) -> [String] {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let (old, new) = (lines(expected), lines(text))
        let changes = new.difference(from: old)
        guard !changes.isEmpty else { return [] }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var all: [(line: String, isChange: Bool)] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                all.append(("- " + old[before], true))
                before += 1
            } else if inserted.contains(after) {
                all.append(("+ " + new[after], true))
                after += 1
            } else {
                all.append(("  " + new[after], false))
                before += 1
                after += 1
            }
        }
        var shown: [String] = []
        for index in all.indices {
            let near = max(0, index - context)...min(all.count - 1, index + context)
            if all[near].contains(where: \.isChange) {
                shown.append(all[index].line)
            } else if shown.last != "…" {
                shown.append("…")
            }
        }
        return shown
    }
}
