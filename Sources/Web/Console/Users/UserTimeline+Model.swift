import Foundation
import Model
import NoroshiWire
import Users
import WebPages

/// The timeline of a user, day by day.
struct UserTimeline {
    struct Entry {
        let text: String
        let name: String
        let detail: String?
        /// The properties of an event, by name.
        let labels: [Label]
        let hasLabels: Bool
        let tone: String
        let moment: Moment
        let clock: String
        let pushAddress: String?
    }

    struct Label {
        let labelName: String
        let labelValue: String
    }

    struct Day {
        let name: String
        let entries: [Entry]
    }

    let days: [Day]
    let hasDays: Bool
    let olderAddress: String?
    /// How long what ends here is kept, at the end of everything else.
    let kept: [String]

    init(_ entries: [TimelineEntry], user: ProfileID, isComplete: Bool, context: ConsoleContext) {
        days = Self.days(Self.withWholeSessions(entries), context)
        hasDays = !days.isEmpty
        let retention = context.home.retention
        kept =
            isComplete
            ? [
                ("users.events_kept", retention.customEvents),
                ("users.sessions_kept", retention.sessions),
                ("users.in_app_kept", retention.inAppReports),
                ("users.push_reports_kept", retention.pushReports),
                ("users.dispatches_kept", retention.dispatches),
            ].compactMap { key, days in days.map { context.words.counted(key, $0) } } : []
        olderAddress =
            isComplete
            ? nil
            : entries.last.map { entry in
                ConsolePath.user("\(user)").query(
                    FormFields([("before", String(entry.time.milliseconds))])
                        .setting("topic", to: context.query["topic"])
                )
            }
    }

    /// The beginning of a session says how long it took, where its end is there too.
    private static func withWholeSessions(_ entries: [TimelineEntry]) -> [TimelineEntry] {
        var shown = entries
        for (place, end) in entries.enumerated().reversed() where end.kind == .sessionEnd {
            guard let length = end.properties[TimelineEntry.sessionLength]?.doubleValue else {
                continue
            }
            let start = shown.firstIndex {
                $0.kind == .session && $0.properties.isEmpty
                    // Devices say both to the millisecond or to the second.
                    && abs(end.time.timeIntervalSince($0.time) - length) < 1
            }
            guard let start else { continue }
            shown[start].properties = end.properties
            shown.remove(at: place)
        }
        return shown
    }

    private static func days(_ entries: [TimelineEntry], _ context: ConsoleContext) -> [Day] {
        var days: [Day] = []
        for entry in entries {
            let name = context.words.longDay(entry.time, in: context.zone)
            let labels = entry.labels
            let line = Entry(
                text: context.words(entry.kind.wordKey),
                name: entry.name,
                detail: entry.detail(context.words),
                labels: labels,
                hasLabels: !labels.isEmpty,
                tone: entry.kind.tone,
                moment: context.moment(entry.time),
                clock: context.words.timeOfDay(entry.time, in: context.zone),
                pushAddress: entry.send.map { ConsolePath.push($0.rawValue).path }
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

extension TimelineEntry {
    fileprivate static let sessionLength = "duration_seconds"

    /// The properties of an event.
    fileprivate var labels: [UserTimeline.Label] {
        guard kind == .event || kind == .purchase else { return [] }
        return properties.sorted { $0.key < $1.key }
            .map { UserTimeline.Label(labelName: $0.key, labelValue: $0.value.listedText) }
    }

    /// The length of a session, or the choice or error of a message.
    fileprivate func detail(_ words: Words) -> String? {
        switch kind {
        case .event, .purchase: nil
        case .session, .sessionEnd:
            properties[Self.sessionLength]?.doubleValue.map { words.duration(Int64($0.rounded())) }
        case .contact(.failed(let reason)): reason
        case .contact(.action(let action)): action
        case .contact(.opened(let page?)): words("timeline.story_page", ["page": "\(page)"])
        case .contact(.inAppClicked(let button)): button
        case .contact: nil
        }
    }
}

extension TimelineEntry.Kind {
    fileprivate var wordKey: String {
        switch self {
        case .event: "timeline.event"
        case .purchase: "timeline.purchase"
        case .session: "timeline.session"
        case .sessionEnd: "timeline.session_end"
        case .contact(.accepted): "timeline.push_delivered"
        case .contact(.received): "timeline.push_received"
        case .contact(.opened), .contact(.action): "timeline.push_opened"
        case .contact(.dismissed): "timeline.push_dismissed"
        case .contact(.failed): "timeline.push_failed"
        case .contact(.inAppShown): "timeline.in_app_shown"
        case .contact(.inAppClicked): "timeline.in_app_clicked"
        case .contact(.inAppDismissed): "timeline.in_app_dismissed"
        }
    }

    /// The class of the mark beside the line.
    fileprivate var tone: String {
        switch self {
        case .contact(.opened), .contact(.action), .contact(.inAppClicked), .purchase: "strong"
        case .contact(.failed): "bad"
        case .contact(.accepted), .contact(.received), .contact(.dismissed),
            .contact(.inAppShown), .contact(.inAppDismissed):
            "sent"
        case .event, .session, .sessionEnd: "plain"
        }
    }
}
