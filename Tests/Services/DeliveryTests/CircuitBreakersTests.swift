import Foundation
import Model
import Ports
import Scheduling
import Testing

@testable import Delivery

@Suite("The lanes of one server")
struct CircuitBreakersTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private let apns = DeliveryLane(app: AppID(1), provider: .apns)
    private let fcm = DeliveryLane(app: AppID(1), provider: .fcm)
    private let other = DeliveryLane(app: AppID(2), provider: .apns)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// The third rejection of the credentials suspends a lane.
    @discardableResult
    private func suspend(_ lane: DeliveryLane, _ breakers: CircuitBreakers, at date: Date) -> [Bool]
    {
        (0..<3).map { _ in
            breakers.record(.credentialsRejected(reason: "BadKey"), of: lane, at: date)
        }
    }

    @Test("one that nothing is known of takes everything, and has not proved itself")
    func unknown() {
        let breakers = CircuitBreakers(jitter: { 1 })
        #expect(breakers.capacities(at: start).isEmpty)
        #expect(breakers.tripped().isEmpty)
        #expect(breakers.nextProbe() == nil)
        #expect(breakers.standing(of: apns).suspendedUntil == nil)
        #expect(!breakers.standing(of: apns).isProven)
        breakers.recordAttempts(in: [apns], at: start)
        let isChanged = breakers.record(.responded, of: apns, at: start)
        #expect(!isChanged && breakers.capacities(at: start).isEmpty)
    }

    @Test("a lane is suspended by itself, and the others go on")
    func apart() {
        let breakers = CircuitBreakers(jitter: { 1 })
        #expect(suspend(apns, breakers, at: start) == [false, false, true])
        #expect(breakers.capacities(at: start) == [apns: 0])
        #expect(breakers.tripped().map(\.lane) == [apns])
        #expect(breakers.tripped().map(\.reason) == ["BadKey"])
        #expect(breakers.tripped().map(\.since) == [start])
        #expect(breakers.standing(of: apns).suspendedUntil == at(5))
        for lane in [fcm, other] { #expect(breakers.standing(of: lane).suspendedUntil == nil) }
    }

    @Test("the next probe is that of the lane which may be probed first")
    func nextProbe() {
        let breakers = CircuitBreakers(jitter: { 1 })
        suspend(apns, breakers, at: at(10))
        suspend(fcm, breakers, at: start)
        #expect(breakers.nextProbe() == at(5))
        #expect(breakers.capacities(at: at(5)) == [apns: 0, fcm: 1])
        breakers.recordAttempts(in: [fcm], at: at(5))
        // Nothing more goes, for as long as the probe may take.
        #expect(breakers.capacities(at: at(14)) == [apns: 0, fcm: 0])
        #expect(breakers.standing(of: fcm).suspendedUntil == at(65))
        #expect(breakers.nextProbe() == at(15))
        #expect(breakers.tripped().count == 2)
    }

    @Test("a lane that takes a push goes on and has proved itself, until the server ends")
    func proof() {
        let breakers = CircuitBreakers(jitter: { 1 })
        suspend(apns, breakers, at: start)
        let isResumed = breakers.record(.accepted, of: apns, at: at(6))
        #expect(isResumed)
        #expect(breakers.tripped().isEmpty && breakers.capacities(at: at(6)).isEmpty)
        #expect(breakers.standing(of: apns).isProven)
        #expect(breakers.standing(of: apns).suspendedUntil == nil)
        suspend(apns, breakers, at: at(7))
        #expect(breakers.standing(of: apns).isProven)
        #expect(breakers.standing(of: apns).suspendedUntil == at(12))
    }

    @Test("the pause is spread by chance between half and all of it")
    func jitter() {
        for (jitter, pause) in [(0.0, 2.5), (0.5, 3.75), (1, 5)] {
            let breakers = CircuitBreakers(jitter: { jitter })
            suspend(apns, breakers, at: start)
            #expect(breakers.nextProbe() == at(pause))
        }
    }
}
