import Foundation
import Model
import Scheduling
import Testing

@Suite("Quiet hours, caps and re-eligibility")
struct LimitsTests {
    private func date(_ text: String) throws -> Date { try #require(Timestamp.parse(text)) }

    private func quiet(_ start: String, _ end: String) throws -> QuietHours {
        QuietHours(start: try #require(TimeOfDay(start)), end: try #require(TimeOfDay(end)))
    }

    private func end(
        _ hours: QuietHours,
        _ instant: String,
        _ zone: String
    ) throws -> String? {
        hours.end(
            afterQuiet: try date(instant),
            in: try #require(TimeZone(identifier: zone))
        ).map(Timestamp.format)
    }

    @Test("over midnight: the evening waits for the morning, the small hours for the same one")
    func overMidnight() throws {
        let hours = try quiet("22:00", "08:00")
        let zone = "Asia/Tokyo"
        #expect(try end(hours, "2026-07-04T13:00:00Z", zone) == "2026-07-04T23:00:00.000Z")
        #expect(try end(hours, "2026-07-04T20:00:00Z", zone) == "2026-07-04T23:00:00.000Z")
    }

    @Test("the first minute is quiet, the end is not, and the day is not")
    func borders() throws {
        let hours = try quiet("22:00", "08:00")
        #expect(try end(hours, "2026-07-04T12:59:59Z", "Asia/Tokyo") == nil)
        #expect(try end(hours, "2026-07-04T13:00:00Z", "Asia/Tokyo") != nil)
        #expect(try end(hours, "2026-07-04T22:59:59Z", "Asia/Tokyo") != nil)
        #expect(try end(hours, "2026-07-04T23:00:00Z", "Asia/Tokyo") == nil)
    }

    @Test("within a day: a siesta ends the same day")
    func withinADay() throws {
        let hours = try quiet("13:00", "16:00")
        #expect(
            try end(hours, "2026-07-04T12:30:00Z", "Europe/Madrid") == "2026-07-04T14:00:00.000Z"
        )
    }

    @Test("the night of a change of clocks ends when clocks show its end")
    func changeOfClocks() throws {
        let hours = try quiet("22:00", "08:00")
        #expect(
            try end(hours, "2026-03-28T22:00:00Z", "Europe/Berlin") == "2026-03-29T06:00:00.000Z"
        )
        #expect(
            try end(hours, "2026-10-24T21:00:00Z", "Europe/Berlin") == "2026-10-25T07:00:00.000Z"
        )
    }

    @Test("quiet hours that end in a doubled hour end in the pass in which they are asked")
    func doubledEnd() throws {
        let hours = try quiet("22:00", "02:30")
        // 02:10 comes twice in that night.
        #expect(
            try end(hours, "2026-10-25T00:10:00Z", "Europe/Berlin") == "2026-10-25T00:30:00.000Z"
        )
        #expect(
            try end(hours, "2026-10-25T01:10:00Z", "Europe/Berlin") == "2026-10-25T01:30:00.000Z"
        )
    }

    @Test("quiet hours that end at a midnight that comes twice end at the next one")
    func doubledMidnight() throws {
        // At one minute past midnight clocks went back to 23:01.
        let zone = "America/St_Johns"
        let hours = try quiet("22:00", "00:00")
        #expect(try end(hours, "2006-10-29T02:00:00Z", zone) == "2006-10-29T02:30:00.000Z")
        #expect(try end(hours, "2006-10-29T03:00:10Z", zone) == "2006-10-29T03:30:00.000Z")
        #expect(try end(hours, "2006-10-29T03:30:00Z", zone) == nil)
    }

    @Test("every minute of a day is quiet, or is not, as the two times say")
    func everyMinute() throws {
        for (start, end, count) in [
            ("22:00", "08:00", 600), ("08:00", "22:00", 840), ("00:00", "06:30", 390),
            ("23:59", "00:00", 1), ("00:00", "23:59", 1_439), ("12:00", "12:00", 0),
            ("00:00", "00:00", 0),
        ] {
            let hours = try quiet(start, end)
            let midnight = try date("2026-07-04T00:00:00Z")
            let quietMinutes = try (0..<1_440).filter { minute in
                let time = try #require(TimeOfDay(minute / 60, minute % 60))
                let instant = midnight.addingTimeInterval(Double(minute) * 60 + 59)
                let isQuiet = hours.contains(time)
                let found = hours.end(afterQuiet: instant, in: .gmt)
                #expect((found != nil) == isQuiet)
                if let found {
                    // It is the next moment at which clocks show the end.
                    #expect(WallClock.reading(of: found, in: .gmt).time == hours.end)
                    #expect(found > instant && found.timeIntervalSince(instant) < 86_400)
                }
                return isQuiet
            }
            #expect(quietMinutes.count == count, "\(start)–\(end)")
            // The first quiet minute is the one after which there are so many.
            let first = hours.start.minutes
            #expect(
                Set(quietMinutes) == Set((0..<count).map { (first + $0) % 1_440 }),
                "\(start)–\(end)"
            )
        }
    }

    @Test("two a day: the third waits for the next day of the user's calendar")
    func cap() throws {
        let cap = FrequencyCap(messages: 2, days: 1)
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let others = [try date("2026-07-04T09:00:00Z"), try date("2026-07-04T12:00:00Z")]
        let before = try date("2026-07-04T14:59:59Z")
        let midnight = try date("2026-07-04T15:00:00Z")
        #expect(!cap.allows(messageAt: before, beside: others, in: tokyo))
        #expect(cap.allows(messageAt: midnight, beside: others, in: tokyo))
        #expect(!cap.allows(messageAt: midnight, beside: others, in: .gmt))
    }

    @Test("a message that is planned for later counts too")
    func plannedLater() throws {
        let cap = FrequencyCap(messages: 1, days: 7)
        let planned = [try date("2026-07-08T09:00:00Z")]
        let second = try date("2026-07-02T00:00:00Z")
        #expect(!cap.allows(messageAt: second, beside: planned, in: .gmt))
        let first = try date("2026-07-01T23:59:59Z")
        #expect(cap.allows(messageAt: first, beside: planned, in: .gmt))
    }

    @Test("messages before and after do not add up when no stretch holds both")
    func stretches() throws {
        let cap = FrequencyCap(messages: 2, days: 7)
        let others = [try date("2026-07-01T09:00:00Z"), try date("2026-07-10T09:00:00Z")]
        #expect(cap.allows(messageAt: try date("2026-07-05T09:00:00Z"), beside: others, in: .gmt))
        let nearer = [try date("2026-07-03T09:00:00Z"), try date("2026-07-07T09:00:00Z")]
        #expect(!cap.allows(messageAt: try date("2026-07-05T09:00:00Z"), beside: nearer, in: .gmt))
    }

    @Test("in a random year of messages no stretch ever holds more than the cap allows")
    func randomYear() {
        var generator = SplitMix(state: 20_260_704)
        for messages in 1...4 {
            let cap = FrequencyCap(messages: messages, days: 7)
            var sent: [Date] = []
            for _ in 0..<600 {
                // Not in order: local times are planned ahead.
                let hour = Double(generator.next() % (365 * 24))
                let time = Date(timeIntervalSince1970: hour * 3600)
                if cap.allows(messageAt: time, beside: sent, in: .gmt) { sent.append(time) }
            }
            for end in sent {
                let days = WallClock.day(of: end, in: .gmt).number
                let stretch = (days - 6)...days
                #expect(
                    sent.count { stretch.contains(WallClock.day(of: $0, in: .gmt).number) }
                        <= messages
                )
            }
            #expect(sent.count > 20 * messages)
        }
    }

    @Test("one message ever, or again after a pause that is over to the second")
    func reeligibility() throws {
        let last = try date("2026-07-01T09:00:00Z")
        #expect(Reeligibility.never.allows(messageAt: last, last: nil, in: .gmt))
        let much = last.addingTimeInterval(1e9)
        #expect(!Reeligibility.never.allows(messageAt: much, last: last, in: .gmt))
        let hourly = Reeligibility.after(3_600)
        let early = try date("2026-07-01T09:59:59Z")
        #expect(!hourly.allows(messageAt: early, last: last, in: .gmt))
        #expect(hourly.allows(messageAt: early.addingTimeInterval(1), last: last, in: .gmt))
        #expect(Reeligibility.after(0).allows(messageAt: last, last: last, in: .gmt))
    }

    @Test("again after days: from the first minute of the user's day so many days later")
    func reeligibilityInDays() throws {
        let kathmandu = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        let last = try date("2026-07-01T09:00:00Z")
        let midnight = try date("2026-07-03T18:15:00Z")
        let pause = Reeligibility.after(3 * 86_400)
        #expect(pause.allows(messageAt: midnight, last: last, in: kathmandu))
        let before = midnight.addingTimeInterval(-1)
        #expect(!pause.allows(messageAt: before, last: last, in: kathmandu))
    }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
