import Foundation
import Model
import WebPages

/// What happened to a user, day by day.
struct UserTimeline {
    struct Entry {
        let text: String
        let name: String
        let detail: String?
        let tone: String
        let moment: Moment
        let clock: String
        let pushAddress: String?
    }

    struct Day {
        let name: String
        let entries: [Entry]
    }

    let days: [Day]
    let hasDays: Bool
    let olderAddress: String?

    init(_ entries: [TimelineEntry], user: Int64, isComplete: Bool, visit: Visit) {
        days = Self.days(entries, visit)
        hasDays = !days.isEmpty
        olderAddress =
            isComplete
            ? nil
            : entries.last.map { entry in
                ConsolePath.user(String(user)).query(
                    FormFields([("before", String(entry.at.milliseconds))])
                )
            }
    }

    private static func days(_ entries: [TimelineEntry], _ visit: Visit) -> [Day] {
        var days: [Day] = []
        for entry in entries {
            let name = visit.words.longDay(entry.at, in: visit.zone)
            let line = Entry(
                text: visit.words(entry.kind.wordKey),
                name: entry.name,
                detail: entry.detail.isEmpty ? nil : entry.detail,
                tone: entry.kind.tone,
                moment: visit.moment(entry.at),
                clock: visit.words.clock(entry.at, in: visit.zone),
                pushAddress: entry.pushNumber.map { ConsolePath.push($0).path }
            )
            if days.last?.name == name, let last = days.popLast() {
                days.append(Day(name: name, entries: last.entries + [line]))
            } else {
                days.append(Day(name: name, entries: [line]))
            }
        }
        return days
    }
}
