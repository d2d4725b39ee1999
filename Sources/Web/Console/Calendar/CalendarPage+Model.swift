import Foundation
import Model
import Scheduling
import Sends
import WebPages

/// A month of what is planned, week by week; each message can be moved to another day.
struct CalendarPage {
    struct Item {
        let address: String
        let name: String
        let time: String
        let kind: String
        let icon: String
        /// That it repeats, or comes at each user's own time.
        let note: String?
        /// What is posted to move it; `nil` if it cannot be moved.
        let subject: String?
        let moveLabel: String
    }

    struct Day {
        let number: String
        /// The day as `2026-11-25`.
        let date: String
        let label: String
        let isToday: Bool
        let isOutside: Bool
        let isEmpty: Bool
        let items: [Item]
        let findings: [String]
    }

    struct Week {
        let days: [Day]
    }

    let title: String
    let weekdays: [String]
    let weeks: [Week]
    let isEmpty: Bool
    let isCut: Bool
    let previousAddress: String?
    let nextAddress: String?
    let todayAddress: String
    let listAddress: String
    let moveAddress: String
    let month: String
    /// The first day that something can be moved to.
    let today: String
    /// Why something was not moved.
    let problem: String?

    init(
        _ month: CalendarMonth,
        _ plan: MessageCalendar.Plan,
        problem: String? = nil,
        context: ConsoleContext
    ) {
        let words = context.words
        let today = WallClock.day(of: context.now, in: context.zone)
        let mayMove = context.hasRole(atLeast: .marketer)
        // Portuguese writes months small, but not at the beginning of a heading.
        let name = words.longMonth(month.first.noon)
        title = name.prefix(1).uppercased() + name.dropFirst()
        weekdays = (0..<7).map { words.weekday(month.weeks.lowerBound.adding(days: $0).noon) }
        let days = plan.days.map { day in
            Day(
                number: words.number(day.day.number - CalendarMonth(of: day.day).first.number + 1),
                date: day.day.description,
                label: words.longDay(day.day.noon, in: .gmt),
                isToday: day.day == today,
                isOutside: CalendarMonth(of: day.day) != month,
                isEmpty: day.messages.isEmpty,
                items: day.messages.map { Self.item($0, mayMove: mayMove, words) },
                findings: day.findings.map { Self.text($0, words) }
            )
        }
        weeks = stride(from: 0, to: days.count, by: 7).map { start in
            Week(days: Array(days[start..<min(start + 7, days.count)]))
        }
        isEmpty = plan.days.allSatisfy(\.messages.isEmpty)
        isCut = plan.isCut
        func address(_ month: CalendarMonth) -> String {
            ConsolePath.calendar.query(FormFields([("month", month.description)]))
        }
        previousAddress = month.previous.map(address)
        nextAddress = month.next.map(address)
        todayAddress = ConsolePath.calendar.path
        listAddress = ConsolePath.campaigns.path
        moveAddress = ConsolePath.moveOnCalendar.path
        self.month = month.description
        self.today = today.description
        self.problem = problem
    }

    private static func item(
        _ message: PlannedMessage,
        mayMove: Bool,
        _ words: Words
    ) -> Item {
        let (address, kind, icon, subject): (String, String, String, String)
        switch message.subject {
        case .push(let send):
            (address, kind) = (ConsolePath.push(send.id.rawValue).path, words("calendar.push"))
            (icon, subject) = ("bell", "push:\(send.id)")
        case .campaign(let campaign):
            address = ConsolePath.campaign("\(campaign.id)").path
            (kind, icon) = (words("calendar.campaign"), "campaign")
            subject = "campaign:\(campaign.id)"
        }
        let notes = [
            message.isLocal ? words("calendar.local") : nil,
            message.isRepeated ? words("calendar.repeated") : nil,
        ].compactMap { $0 }
        return Item(
            address: address,
            name: message.name,
            time: words.timeOfDay(
                Date(timeIntervalSince1970: Double(message.time.minutes * 60)),
                in: .gmt
            ),
            kind: kind,
            icon: icon,
            note: notes.isEmpty ? nil : notes.joined(separator: ", "),
            subject: mayMove && message.isMovable ? subject : nil,
            moveLabel: words("calendar.move_name", ["name": message.name])
        )
    }

    private static func text(_ finding: MessageCalendar.Finding, _ words: Words) -> String {
        switch finding {
        case .close(let count): words.counted("calendar.close", count)
        case .overCap(let cap, let planned):
            words(
                "calendar.over_cap",
                [
                    "planned": words.number(planned), "days": words.number(cap.days),
                    "messages": words.number(cap.messages),
                ]
            )
        }
    }
}
