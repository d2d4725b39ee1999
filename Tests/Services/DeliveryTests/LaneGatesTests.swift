import Foundation
import Model
import Ports
import Scheduling
import Testing

@testable import Delivery

@Suite("The lanes of one server")
struct LaneGatesTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private let apns = DeliveryLane(app: AppID(1), provider: .apns)
    private let fcm = DeliveryLane(app: AppID(1), provider: .fcm)
    private let other = DeliveryLane(app: AppID(2), provider: .apns)

    private func at(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    /// Refusals of the credentials close a lane with the third one.
    @discardableResult
    private func close(_ lane: DeliveryLane, _ gates: LaneGates, at date: Date) -> [Bool] {
        (0..<3).map { _ in
            gates.report(.refusesCredentials(reason: "BadKey"), of: lane, at: date)
        }
    }

    @Test("one that nothing is known of is open, has not proved itself, and is no matter")
    func unknown() {
        let gates = LaneGates(jitter: { 1 })
        #expect(gates.room(at: start).isEmpty)
        #expect(gates.closed().isEmpty)
        #expect(gates.nextTrial() == nil)
        #expect(gates.standing(of: apns).closedUntil == nil)
        #expect(!gates.standing(of: apns).isProven)
        gates.started([apns], at: start)
        let isChanged = gates.report(.works, of: apns, at: start)
        #expect(!isChanged && gates.room(at: start).isEmpty)
    }

    @Test("a lane closes by itself and leaves the others open")
    func apart() {
        let gates = LaneGates(jitter: { 1 })
        #expect(close(apns, gates, at: start) == [false, false, true])
        #expect(gates.room(at: start) == [apns: 0])
        #expect(gates.closed().map(\.lane) == [apns])
        #expect(gates.closed().map(\.reason) == ["BadKey"])
        #expect(gates.closed().map(\.since) == [start])
        #expect(gates.standing(of: apns).closedUntil == at(5))
        for lane in [fcm, other] { #expect(gates.standing(of: lane).closedUntil == nil) }
    }

    @Test("the next trial is that of the lane which may be tried first")
    func nextTrial() {
        let gates = LaneGates(jitter: { 1 })
        close(apns, gates, at: at(10))
        close(fcm, gates, at: start)
        #expect(gates.nextTrial() == at(5))
        #expect(gates.room(at: at(5)) == [apns: 0, fcm: 1])
        gates.started([fcm], at: at(5))
        // On trial: nothing more goes, for as long as the trial may take.
        #expect(gates.room(at: at(14)) == [apns: 0, fcm: 0])
        #expect(gates.standing(of: fcm).closedUntil == at(65))
        #expect(gates.nextTrial() == at(15))
        #expect(gates.closed().count == 2)
    }

    @Test("a lane that takes a push is open and has proved itself, until the server ends")
    func proof() {
        let gates = LaneGates(jitter: { 1 })
        close(apns, gates, at: start)
        let isOpened = gates.report(.accepts, of: apns, at: at(6))
        #expect(isOpened)
        #expect(gates.closed().isEmpty && gates.room(at: at(6)).isEmpty)
        #expect(gates.standing(of: apns).isProven)
        #expect(gates.standing(of: apns).closedUntil == nil)
        close(apns, gates, at: at(7))
        #expect(gates.standing(of: apns).isProven)
        #expect(gates.standing(of: apns).closedUntil == at(12))
    }

    @Test("the pause is spread by chance between half and all of it")
    func jitter() {
        for (jitter, pause) in [(0.0, 2.5), (0.5, 3.75), (1, 5)] {
            let gates = LaneGates(jitter: { jitter })
            close(apns, gates, at: start)
            #expect(gates.nextTrial() == at(pause))
        }
    }
}
