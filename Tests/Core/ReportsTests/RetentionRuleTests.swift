import Foundation
import Model
import Reports
import Segments
import Testing

@Suite("When one user comes back")
struct RetentionRuleTests {
    private static let day: Int64 = 86_400

    /// Three daily cohorts that begin at 0, with three intervals behind the first.
    private func question(
        _ mode: RetentionQuestion.Mode,
        _ cohort: RetentionQuestion.Cohort
    ) -> RetentionQuestion {
        RetentionQuestion(
            period: ReportPeriod(
                .day,
                length: 3,
                endingAt: Date(timeIntervalSince1970: Double(2 * Self.day + 5)),
                in: .gmt
            ),
            cohort: cohort,
            mode: mode,
            intervals: 3,
            first: ReportActivity(.event("signed up")),
            returning: ReportActivity(.session)
        )
    }

    private func counts(
        _ mode: RetentionQuestion.Mode,
        _ cohort: RetentionQuestion.Cohort,
        firsts: [Double],
        returns: [Double],
        now: Int64 = 100 * day
    ) throws -> RetentionRule.Counts {
        let rule = try RetentionRule(question(mode, cohort), now: now)
        var counts = RetentionRule.Counts(cohorts: 3, intervals: 3)
        let (first, returned) = (seconds(firsts), seconds(returns))
        first.withUnsafeBufferPointer { first in
            returned.withUnsafeBufferPointer { returned in
                rule.forEachCohort(first) { cohort, place in
                    rule.add(first[place], cohort: cohort, returned, to: &counts)
                }
            }
        }
        return counts
    }

    private func seconds(_ days: [Double]) -> [Int64] {
        days.map { Int64($0 * Double(Self.day)) }
    }

    @Test("in the interval of that number by the calendar")
    func nDay() throws {
        // Late on day 0, early on day 1: less than a day later, yet day 1.
        let found = try counts(.nDay, .first, firsts: [0.9, 1.5], returns: [1.1, 1.2, 3.5, 9])
        #expect(found.sizes == [1, 0, 0])
        #expect(found.returned[0] == [0, 1, 0, 1])
    }

    @Test("what happens before the first event is no return")
    func before() throws {
        #expect(
            try counts(.nDay, .first, firsts: [0.5], returns: [0.4]).returned[0] == [0, 0, 0, 0]
        )
        #expect(
            try counts(.nDay, .first, firsts: [0.5], returns: [0.5]).returned[0] == [1, 0, 0, 0]
        )
    }

    @Test("a first event ever before the period puts the user in no cohort")
    func ever() throws {
        #expect(try counts(.nDay, .first, firsts: [-5, 1], returns: []).sizes == [0, 0, 0])
        #expect(try counts(.nDay, .recurring, firsts: [-5, 1], returns: []).sizes == [0, 1, 0])
    }

    @Test("a recurring event makes a cohort of each interval, from its first event there on")
    func recurring() throws {
        let found = try counts(.nDay, .recurring, firsts: [0.2, 0.8, 2.5], returns: [0.5, 2.2])
        #expect(found.sizes == [1, 0, 1])
        #expect(found.returned[0] == [1, 0, 1, 0])
        #expect(found.returned[2] == [0, 0, 0, 0])
    }

    @Test("unbounded: in that interval or any later one")
    func unbounded() throws {
        #expect(
            try counts(.unbounded, .first, firsts: [0.5], returns: [2.1]).returned[0] == [
                1, 1, 1, 0,
            ]
        )
        #expect(
            try counts(.unbounded, .first, firsts: [0.5], returns: [80]).returned[0] == [
                1, 1, 1, 1,
            ]
        )
    }

    @Test("rolling: so many times 24 hours after the user's own second")
    func rolling() throws {
        let found = try counts(.rolling, .first, firsts: [0.9], returns: [1.1, 1.9, 3.89])
        #expect(found.returned[0] == [1, 1, 1, 0])
    }

    private func interval(_ start: Int64) -> ReportInterval {
        ReportInterval(
            start: Date(timeIntervalSince1970: Double(start)),
            unit: .day,
            zone: .gmt,
            name: "\(start)"
        )
    }

    @Test("an interval that has not begun is not known, one that runs is not complete")
    func running() throws {
        // Noon of day 2.
        let rule = try RetentionRule(question(.nDay, .first), now: 2 * Self.day + Self.day / 2)
        #expect(rule.begun == [2, 1, 0])
        #expect(rule.complete == [2, 1, 0])
        let answer = rule.answer(
            RetentionRule.Counts(cohorts: 3, intervals: 3),
            groups: [],
            interval: interval
        )
        #expect(answer.cohorts[1].returned == [0, 0, nil, nil])
        let rolling = try RetentionRule(question(.rolling, .first), now: 2 * Self.day)
        #expect(rolling.begun == [2, 1, 0])
        #expect(rolling.complete == [1, 0, 0])
    }

    @Test("the share of all cohorts counts those whose interval has begun")
    func curve() throws {
        let rule = try RetentionRule(question(.nDay, .first), now: Self.day)
        var counts = RetentionRule.Counts(cohorts: 3, intervals: 3)
        counts.sizes = [4, 2, 0]
        counts.returned[0] = [3, 1, 0, 0]
        counts.returned[1] = [2, 0, 0, 0]
        let total = rule.answer(counts, groups: [], interval: interval).total
        #expect(total.users == 6)
        #expect(total.returned == [5, 1, 0, 0])
        #expect(total.of == [6, 4, 0, 0])
    }
}
