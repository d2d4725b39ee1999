import Model
import Scheduling
import Testing

@Suite("The days of a recurrence")
struct RecurrenceTests {
    private func days(
        from start: String,
        _ pattern: Recurrence.Pattern,
        end: Recurrence.End = .never,
        first count: Int = 6
    ) throws -> [String] {
        let start = try #require(CalendarDay(start))
        let days = RecurrenceDays(from: start, Recurrence(pattern, end: end))
        return days.prefix(count).map(\.description)
    }

    @Test("without a recurrence there is the start day alone")
    func once() throws {
        let start = try #require(CalendarDay("2026-07-04"))
        #expect(Array(RecurrenceDays(from: start, nil)) == [start])
    }

    @Test("every day, every third day")
    func daily() throws {
        #expect(
            try days(from: "2026-02-27", .daily(every: 1), first: 3)
                == ["2026-02-27", "2026-02-28", "2026-03-01"]
        )
        #expect(
            try days(from: "2028-02-27", .daily(every: 3), first: 3)
                == ["2028-02-27", "2028-03-01", "2028-03-04"]
        )
    }

    @Test("on Mondays and Thursdays; a start in between begins with the next of them")
    func weekly() throws {
        // 2026-07-01 is a Wednesday.
        #expect(
            try days(from: "2026-07-01", .weekly(every: 1, weekdays: [1, 4]), first: 4)
                == ["2026-07-02", "2026-07-06", "2026-07-09", "2026-07-13"]
        )
    }

    @Test("every second week counts from the week of the start, which begins on Monday")
    func everySecondWeek() throws {
        #expect(
            try days(from: "2026-07-01", .weekly(every: 2, weekdays: [1, 7]), first: 4)
                == ["2026-07-05", "2026-07-13", "2026-07-19", "2026-07-27"]
        )
    }

    @Test("on the 31st: months without one are left out")
    func thirtyFirst() throws {
        #expect(
            try days(from: "2026-01-31", .monthly(every: 1, days: [31]), first: 4)
                == ["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"]
        )
    }

    @Test("on the first and the last day of every month, in leap years too")
    func lastDay() throws {
        #expect(
            try days(from: "2028-01-15", .monthly(every: 1, days: [1, -1]), first: 5)
                == ["2028-01-31", "2028-02-01", "2028-02-29", "2028-03-01", "2028-03-31"]
        )
    }

    @Test("every year on 29 February, over the year that is no leap year")
    func leapDay() throws {
        #expect(
            try days(from: "2096-02-29", .monthly(every: 12, days: [29]), first: 2)
                == ["2096-02-29", "2104-02-29"]
        )
    }

    @Test("after so many occurrences it ends")
    func count() throws {
        #expect(try days(from: "2026-07-04", .daily(every: 1), end: .afterCount(2)).count == 2)
    }

    @Test("the end day is the last one")
    func endDay() throws {
        let end = try #require(CalendarDay("2026-07-06"))
        #expect(
            try days(from: "2026-07-04", .daily(every: 2), end: .onDay(end))
                == ["2026-07-04", "2026-07-06"]
        )
    }

    @Test("a day that never comes ends the search")
    func never() throws {
        #expect(try days(from: "2026-02-01", .monthly(every: 12, days: [30])) == [])
        #expect(try days(from: "2026-02-01", .daily(every: 3_000)).count == 6)
        #expect(try days(from: "2026-02-01", .daily(every: 3_001)).count == 1)
    }

    @Test("days are counted as the calendar does, over four centuries")
    func calendar() throws {
        var day = try #require(CalendarDay("1900-01-01"))
        #expect(day.weekday == 1)
        let end = try #require(CalendarDay("2300-01-01"))
        var count = 0
        while day < end {
            let (year, month, number) = day.civil
            #expect(CalendarDay(year, month, number) == day)
            let next = day.adding(days: 1)
            #expect(next.weekday == day.weekday % 7 + 1)
            day = next
            count += 1
        }
        #expect(count == 400 * 365 + 97)
        #expect(CalendarDay("2100-02-29") == nil)
        #expect(CalendarDay("2026-7-4") == nil)
    }

    @Test("every second month counts from the month of the start, over the end of a year")
    func everySecondMonth() throws {
        #expect(
            try days(from: "2026-09-20", .monthly(every: 2, days: [5]), first: 3)
                == ["2026-11-05", "2027-01-05", "2027-03-05"]
        )
    }

    @Test("days that are left out do not count as occurrences")
    func countedOccurrences() throws {
        #expect(
            try days(from: "2026-01-31", .monthly(every: 1, days: [31]), end: .afterCount(3))
                == ["2026-01-31", "2026-03-31", "2026-05-31"]
        )
        #expect(try days(from: "2026-01-31", .daily(every: 1), end: .afterCount(1)).count == 1)
    }

    @Test("an end before the first fitting day leaves nothing")
    func endedEarly() throws {
        let end = try #require(CalendarDay("2026-07-05"))
        #expect(
            try days(from: "2026-07-01", .weekly(every: 1, weekdays: [1]), end: .onDay(end)) == []
        )
    }

    @Test("every so many months are so many months apart, whatever the month of the start")
    func everySoManyMonths() throws {
        for every in 1...12 {
            for month in 1...12 {
                let start = try #require(CalendarDay(2026, month, 10))
                let recurrence = Recurrence(.monthly(every: every, days: [10]), end: .never)
                let found = RecurrenceDays(from: start, recurrence).prefix(5).map(\.civil)
                let expected = (0..<5).map { 2026 * 12 + month - 1 + $0 * every }
                #expect(
                    found.map { $0.year * 12 + $0.month - 1 } == expected,
                    "every \(every) from month \(month)"
                )
                #expect(found.allSatisfy { $0.day == 10 })
            }
        }
    }

    @Test("every so many days and weeks are so many days apart, from the start on")
    func everySoManyDays() throws {
        let monday = try #require(CalendarDay("2026-06-29"))
        for every in [1, 2, 3, 7, 30, 365] {
            for offset in 0..<7 {
                let start = monday.adding(days: offset)
                let daily = RecurrenceDays(
                    from: start,
                    Recurrence(.daily(every: every), end: .never)
                )
                #expect(
                    daily.prefix(4).map(\.number) == (0..<4).map { start.number + $0 * every }
                )
            }
        }
        for every in [1, 2, 3, 4, 52] {
            for offset in 0..<7 {
                for weekday in 1...7 {
                    let start = monday.adding(days: offset)
                    let recurrence = Recurrence(
                        .weekly(every: every, weekdays: [weekday]),
                        end: .never
                    )
                    // The week of the start counts where the day is still to come in it.
                    let first = weekday - 1 >= offset ? 0 : every
                    #expect(
                        RecurrenceDays(from: start, recurrence).prefix(3).map(\.number)
                            == (0..<3).map {
                                monday.number + weekday - 1 + (first + $0 * every) * 7
                            },
                        "every \(every) from \(start) on \(weekday)"
                    )
                }
            }
        }
    }
}
