import Audience
import Foundation
import Model
import Reasons
import Rehearsals
import Scheduling
import WebPages

/// What a rehearsal has shown: a calendar, numbers by source with their reasons, and the days.
struct RehearsalReport {
    struct Mark {
        let x: Int
        let text: String
    }

    struct Cell {
        let title: String
        let x: Int
        let y: Int
        let middle: Int
        let baseline: Int
        let text: String
        let shade: String
    }

    struct Line {
        let label: String
        let baseline: Int
        let cells: [Cell]
    }

    struct Total {
        let kind: String
        let name: String
        let sent: String
        let refused: String
        let skipped: String
        let leftOut: String
        let control: String
    }

    struct Why {
        let name: String
        let reason: String
        let count: String
    }

    struct Entry {
        let time: String
        let name: String
        let sent: String
        let shares: [String]
        let notSent: [String]
        let example: String?
    }

    struct Day {
        let title: String
        let entries: [Entry]
    }

    /// Entries of days beyond this are in the text only: the page stays quick.
    private static let shownEntries = 150

    let lead: [String]
    let problems: [String]
    /// That what is rehearsed sends nothing itself; `nil` if it does, or nobody does.
    let silent: String?
    let textAddress: String
    let isEmpty: Bool
    let width: Int
    let height: Int
    let cellWidth: Int
    let cellHeight: Int
    let months: [Mark]
    let columns: [Mark]
    let lines: [Line]
    let totals: [Total]
    let whys: [Why]
    let hasWhys: Bool
    let days: [Day]
    let more: String?

    init(
        _ result: RehearsalResult,
        of subject: RehearsalSubject,
        textAddress: String,
        words: Words
    ) {
        self.textAddress = textAddress
        lead = Self.lead(result, words)
        problems = result.problems.map { problem in
            words(
                "rehearsal.not_started",
                ["name": problem.source.name, "reason": Self.text(problem, words)]
            )
        }
        let calendar = RehearsalCalendar(result)
        isEmpty = calendar.lines.isEmpty
        let isHeard = result.sources.contains {
            subject.sends($0) && result.total($0, \.sent) > 0
        }
        silent =
            isHeard || isEmpty ? nil : words("rehearsal.silent", ["name": subject.name])
        width = calendar.width
        height = calendar.height
        cellWidth = RehearsalCalendar.cell.width
        cellHeight = RehearsalCalendar.cell.height
        months = calendar.months.map { Mark(x: $0.x, text: $0.text) }
        columns = calendar.days.map { Mark(x: $0.x, text: $0.text) }
        lines = calendar.lines.map { line in
            Line(
                label: line.label,
                baseline: line.baseline,
                cells: line.cells.map { cell in
                    Cell(
                        title: words(
                            "rehearsal.cell",
                            [
                                "name": line.source.name,
                                "day": words.longDay(cell.day.noon, in: .gmt),
                                "count": words.number(cell.count),
                            ]
                        ),
                        x: cell.x,
                        y: cell.y,
                        middle: cell.middle,
                        baseline: cell.baseline,
                        text: cell.text,
                        shade: cell.shade
                    )
                }
            )
        }
        totals = result.sources.map { source in
            func total(_ count: (RehearsalResult.Day) -> Int) -> String {
                words.number(result.total(source, count))
            }
            return Total(
                kind: words(source.kind.wordKey),
                name: source.name,
                sent: total(\.sent),
                refused: total { $0.refused.values.reduce(0, +) },
                skipped: total { $0.skipped.values.reduce(0, +) },
                leftOut: total { $0.leftOut.values.reduce(0, +) },
                control: total(\.control)
            )
        }
        whys = Self.whys(result, words)
        hasWhys = !whys.isEmpty
        var shown = 0
        var days: [Day] = []
        let calendarDays = result.calendar
        for (day, entries) in calendarDays where shown < Self.shownEntries {
            shown += entries.count
            let total = entries.reduce(0) { $0 + $1.found.sent }
            days.append(
                Day(
                    title: words.counted(
                        "rehearsal.day",
                        total,
                        ["day": words.longDay(day.noon, in: .gmt)]
                    ),
                    entries: entries.map { Self.entry($0.source, $0.found, result.zone, words) }
                )
            )
        }
        self.days = days
        more =
            days.count < calendarDays.count
            ? words.counted("rehearsal.more", calendarDays.count - days.count) : nil
    }

    private static func lead(_ result: RehearsalResult, _ words: Words) -> [String] {
        let settings = result.settings
        var lines = [
            words.counted(
                "rehearsal.span",
                settings.days,
                [
                    "from": words.dateAndTime(settings.from, in: result.zone),
                    "zone": result.zone.identifier,
                    "people": words.counted("reach.users", result.people),
                    "seed": "\(settings.seed)",
                ]
            ),
            words(
                "rehearsal.behavior",
                [
                    "rate": words.percent(
                        Int((result.openRate * 10_000).rounded()),
                        of: 10_000
                    ),
                    "opened": words.number(result.opened),
                    "repeated": words.number(result.repeated),
                ]
            ),
        ]
        if result.signedUp > 0 {
            lines.append(words.counted("rehearsal.sign_ups", result.signedUp))
        }
        if result.calls > 0 { lines.append(words.counted("rehearsal.calls", result.calls)) }
        if result.unasked > 0 { lines.append(words.counted("rehearsal.unasked", result.unasked)) }
        return lines
    }

    private static func whys(_ result: RehearsalResult, _ words: Words) -> [Why] {
        result.sources.flatMap { source -> [Why] in
            var counts: [String: Int] = [:]
            for day in result.days.values {
                guard let found = day[source] else { continue }
                for reasons in [found.refused, found.skipped, found.leftOut] {
                    counts.merge(reasons, uniquingKeysWith: +)
                }
            }
            return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                Why(
                    name: source.name,
                    reason: reason($0.key, words),
                    count: words.number($0.value)
                )
            }
        }
    }

    private static func entry(
        _ source: RehearsalSource,
        _ found: RehearsalResult.Day,
        _ zone: TimeZone,
        _ words: Words
    ) -> Entry {
        let first = words.clock(found.first, in: zone)
        let last = words.clock(found.last, in: zone)
        func list(_ counts: [String: Int], _ name: (String) -> String) -> String {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(name($0.key)) \(words.number($0.value))" }.joined(separator: " · ")
        }
        let shares = [
            list(found.languages) { code in
                code.isEmpty
                    ? words("review.no_language")
                    : words.language.locale.localizedString(forLanguageCode: code) ?? code
            },
            list(found.platforms) { MessagePlatform(rawValue: $0).map { words($0.wordKey) } ?? $0 },
            list(found.variants) { $0 },
        ]
        var notSent: [String] = []
        for reasons in [found.refused, found.skipped, found.leftOut] {
            notSent += reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\(reason($0.key, words)): \(words.number($0.value))" }
        }
        if found.control > 0 {
            notSent.append("\(words("campaigns.control")): \(words.number(found.control))")
        }
        return Entry(
            time: first == last ? first : "\(first)–\(last)",
            name: source.name,
            sent: words.number(found.sent),
            shares: shares.filter { !$0.isEmpty },
            notSent: notSent,
            example: found.example.map { example in
                [example.title, example.body].filter { !$0.isEmpty }.joined(separator: " — ")
            }
        )
    }

    /// Why somebody got nothing; what push services and the delivery say has no words of its own.
    private static func reason(_ code: String, _ words: Words) -> String {
        if let reason = ExclusionReason(rawValue: code) { return words(reason.wordKey) }
        return UnshownReason(rawValue: code).map { words($0.wordKey) } ?? code
    }

    private static func text(_ problem: RehearsalResult.Problem, _ words: Words) -> String {
        problem.reasons.isEmpty
            ? problem.text : problem.reasons.map { words($0) }.joined(separator: " ")
    }
}

extension RehearsalSource.Kind {
    fileprivate var wordKey: String {
        switch self {
        case .campaign: "calendar.campaign"
        case .journey: "rehearsal.journey"
        case .push: "calendar.push"
        case .inApp: "nav.in_app"
        }
    }
}

extension UnshownReason {
    fileprivate var wordKey: String {
        switch self {
        case .anotherMessage: "rehearsal.another_message"
        case .messageGap: "rehearsal.message_gap"
        case .notRendered: "rehearsal.not_rendered"
        }
    }
}
