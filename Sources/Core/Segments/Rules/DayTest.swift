/// A test on the day of a time, on a user's calendar.
package struct DayTest: Sendable, Hashable {
    package enum Question: Sendable, Hashable {
        /// The same month and day in any year.
        case onDay(month: Int, day: Int)
        /// An anniversary on the evaluation day.
        case onThisDay(LeapDay)
    }

    private let question: Question
    private let calendar: UserCalendar

    package init(_ question: Question, on calendar: UserCalendar) {
        self.question = question
        self.calendar = calendar
    }

    package func holds(_ seconds: Int64) -> Bool {
        if seconds % 86_400 == 0 { return holds(CivilDay(containing: seconds)) }
        // No offset from UTC is larger: usually this check alone rules out the day, without
        // computing the time zone.
        guard
            [-12, 0, 14].contains(where: { hours in
                holds(CivilDay(containing: seconds &+ hours * 3_600))
            })
        else { return false }
        return holds(calendar.day(of: seconds))
    }

    private func holds(_ day: CivilDay) -> Bool {
        switch question {
        case .onDay(let month, let number): day.month == month && day.day == number
        case .onThisDay(let leapDay): leapDay.isAnniversary(calendar.today, of: day)
        }
    }
}
