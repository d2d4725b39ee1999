import Foundation
import Model
import Scheduling
import Testing

@Suite("The moments at which somebody in a journey goes on")
struct JourneyTimeTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private let bought = EventMatch(.custom(name: "bought"))
    private let wait = JourneyStepID(UUID())
    private let next = JourneyStepID(UUID())

    private func interpreter(
        _ kind: JourneyWait,
        _ change: (inout JourneyDefinition) -> Void = { _ in }
    ) -> JourneyInterpreter {
        var definition = JourneyDefinition(
            name: "Cart",
            entry: .api,
            steps: [
                JourneyStep(id: wait, name: "wait", kind: .wait(kind), next: next),
                JourneyStep(id: next, name: "stay", kind: .wait(.duration(86_400))),
            ]
        )
        change(&definition)
        return JourneyInterpreter(journey: UUID(), definition: definition)
    }

    /// Somebody who has come to the first step at the start and waits there.
    private func waiting(_ interpreter: JourneyInterpreter) throws -> JourneyEntry {
        let entry = JourneyEntry(
            id: JourneyEntryID(1),
            journey: JourneyID(1),
            profile: ProfileID(1),
            number: 0,
            version: 1,
            enteredAt: start
        )
        let first = try #require(interpreter.entry(entry, now: start))
        #expect(first.position?.passage == 0)
        return try #require(try interpreter.advance(first, facts(0))).after
    }

    private func facts(_ seconds: TimeInterval) -> JourneyFacts {
        JourneyFacts(now: start.addingTimeInterval(seconds), zone: .gmt, isMember: { _ in false })
    }

    private func move(
        _ interpreter: JourneyInterpreter,
        _ seconds: TimeInterval
    ) throws -> JourneyMove? {
        try interpreter.advance(waiting(interpreter), facts(seconds))
    }

    @Test("a wait is over at its moment, and not before", arguments: [60, 3_600])
    func duration(seconds: TimeInterval) throws {
        let waits: [JourneyWait] = [
            .duration(seconds), .event(bought, limit: seconds, late: next),
            .match(SegmentQuery(segments: []), limit: seconds, late: next),
        ]
        for kind in waits {
            let interpreter = interpreter(kind)
            #expect(try move(interpreter, seconds - 1) == nil, "\(kind)")
            let move = try #require(try move(interpreter, seconds), "\(kind)")
            #expect(move.after.position?.step == next && move.after.position?.passage == 1)
        }
    }

    @Test("an event counts from the arrival to the end of the time for it, both included")
    func event() throws {
        let interpreter = interpreter(.event(bought, limit: 60, late: nil))
        let entry = try waiting(interpreter)
        func step(_ seconds: TimeInterval) throws -> JourneyStepID? {
            let event = JourneyEvent(
                name: "bought",
                properties: [:],
                time: start.addingTimeInterval(seconds)
            )
            return try interpreter.receive(event, entry, facts(30))?.after.position?.step
        }
        #expect(try [-0.001, 0, 60, 60.001].map(step) == [nil, next, next, nil])
    }

    @Test("a goal is reached from the entry to the end of its time, both included")
    func goal() throws {
        let interpreter = interpreter(.duration(86_400)) {
            $0.goal = ConversionEvent(event: bought, window: 60)
        }
        let entry = try waiting(interpreter)
        func convertedAfter(_ seconds: TimeInterval) throws -> TimeInterval? {
            let event = JourneyEvent(
                name: "bought",
                properties: [:],
                time: start.addingTimeInterval(seconds)
            )
            return try interpreter.receive(event, entry, facts(30))?.after.convertedAt?
                .timeIntervalSince(start)
        }
        #expect(try [-1, 0, 60, 61].map(convertedAfter) == [nil, 0, 60, nil])
    }

    @Test("an exit rule is met by events from the entry on")
    func exit() throws {
        let interpreter = interpreter(.duration(86_400)) { $0.exits = [.event(bought)] }
        let entry = try waiting(interpreter)
        func end(_ seconds: TimeInterval) throws -> JourneyEnd? {
            let event = JourneyEvent(
                name: "bought",
                properties: [:],
                time: start.addingTimeInterval(seconds)
            )
            return try interpreter.receive(event, entry, facts(30))?.after.end
        }
        #expect(try [-1, 0, 1].map(end) == [nil, .exitRule, .exitRule])
    }

    @Test("a time of day is the next moment after now at which clocks show it, in a week at most")
    func clock() throws {
        let nine = try #require(TimeOfDay(9, 0))
        // A Monday.
        let monday = try #require(Timestamp.parse("2026-09-21T09:00:00Z"))
        func first(_ weekdays: Set<Int>, _ moment: Date) -> String {
            let clock = JourneyClockTime(time: nine, weekdays: weekdays)
            return Timestamp.format(clock.first(after: moment, in: .gmt))
        }
        #expect(first([], monday) == "2026-09-22T09:00:00.000Z")
        #expect(first([], monday.addingTimeInterval(-1)) == "2026-09-21T09:00:00.000Z")
        #expect(first([1], monday) == "2026-09-28T09:00:00.000Z")
        #expect(first([7], monday) == "2026-09-27T09:00:00.000Z")
        #expect(first([1, 3], monday) == "2026-09-23T09:00:00.000Z")
    }
}
