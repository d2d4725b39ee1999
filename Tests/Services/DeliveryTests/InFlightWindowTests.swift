import Foundation
import Model
import Ports
import Testing

@testable import Delivery

@Suite("What is on its way")
struct InFlightWindowTests {
    private let lane = DeliveryLane(app: AppID(1), provider: .apns)

    private func entry(bytes: Int) -> ResultQueue.Entry {
        ResultQueue.Entry(
            result: DispatchUpdate(
                send: SendID(1),
                device: DeviceID(1),
                change: .accepted(providerID: nil)
            ),
            lane: lane,
            bytes: bytes
        )
    }

    /// Whether something can be taken now; what was taken is given back.
    private func hasRoom(_ window: InFlightWindow, for wanted: Int) async -> Bool {
        let attempt = Task { await window.take(upTo: wanted) }
        for _ in 0..<200 { await Task.yield() }
        attempt.cancel()
        let taken = await attempt.value
        window.giveBack(taken)
        return taken > 0
    }

    @Test("is bounded by count: the last one is taken, one more waits until an eighth is free")
    func count() async {
        let window = InFlightWindow(maxCount: 16, maxBytes: 100, maxPerLane: 10)
        #expect(await window.take(upTo: 10) == 10)
        #expect(await window.take(upTo: 10) == 6)
        let waiting = Task { await window.take(upTo: 10) }
        for _ in 0..<200 { await Task.yield() }
        window.giveBack(1)
        for _ in 0..<200 { await Task.yield() }
        window.giveBack(1)
        #expect(await waiting.value == 2)
    }

    @Test("is bounded by bytes: what is below the bound lets another one go, the bound does not")
    func bytes() async {
        let window = InFlightWindow(maxCount: 16, maxBytes: 100, maxPerLane: 10)
        #expect(await window.take(upTo: 2) == 2)
        window.started(in: lane, bytes: 99)
        #expect(await hasRoom(window, for: 1))
        window.started(in: lane, bytes: 1)
        #expect(await !hasRoom(window, for: 1))
        window.ended([entry(bytes: 1)])
        #expect(await hasRoom(window, for: 1))
    }

    @Test("nobody who is about to wait misses the room that comes", .timeLimit(.minutes(20)))
    func wakes() async {
        let window = InFlightWindow(maxCount: 1, maxBytes: 100, maxPerLane: 1)
        for _ in 0..<5_000 {
            #expect(await window.take(upTo: 1) == 1)
            async let next = window.take(upTo: 1)
            async let end: Void = window.giveBack(1)
            #expect(await next == 1)
            await end
            window.giveBack(1)
        }
    }

    @Test("a lane has room for what is left of its share, and never less than none")
    func lanes() {
        let window = InFlightWindow(maxCount: 16, maxBytes: 100, maxPerLane: 2)
        #expect(window.laneRoom.isEmpty)
        window.started(in: lane, bytes: 1)
        #expect(window.laneRoom == [lane: 1])
        window.started(in: lane, bytes: 1)
        window.started(in: lane, bytes: 1)
        #expect(window.laneRoom == [lane: 0])
        window.ended([entry(bytes: 1), entry(bytes: 1)])
        #expect(window.laneRoom == [lane: 1])
        window.ended([entry(bytes: 1)])
        #expect(window.laneRoom.isEmpty)
    }

    @Test("a server holds as much as its documents say, where nothing else is set")
    func settings() {
        let settings = DeliveryService.Settings()
        #expect(settings.chunk == 500)
        #expect(settings.workers == 2)
        #expect(settings.inFlight == 4_000)
        #expect(settings.inFlightPerLane == 3_000)
        #expect(settings.inFlightBytes == 16_777_216)
        #expect(settings.planChunk == 2_000)
        #expect(settings.lease == 120)
        #expect(settings.idlePause == .seconds(1))
        #expect(settings.pushDeadline == .seconds(30))
        #expect(settings.outagePatience == 86_400)
    }

    @Test("who asks for less than an eighth gets what is free, also when little is")
    func little() async {
        let window = InFlightWindow(maxCount: 16, maxBytes: 100, maxPerLane: 10)
        #expect(await window.take(upTo: 15) == 15)
        #expect(await window.take(upTo: 1) == 1)
        #expect(await !hasRoom(window, for: 1))
        window.giveBack(0)
        #expect(await !hasRoom(window, for: 1))
        window.giveBack(2)
        #expect(await window.take(upTo: 16) == 2)
    }

    @Test("a window for few lets one more go as soon as one has ended", .timeLimit(.minutes(20)))
    func few() async {
        let window = InFlightWindow(maxCount: 3, maxBytes: 100, maxPerLane: 10)
        #expect(await window.take(upTo: 5) == 3)
        let waiting = Task { await window.take(upTo: 5) }
        for _ in 0..<200 { await Task.yield() }
        window.ended([entry(bytes: 0)])
        #expect(await waiting.value == 1)
    }

    @Test("an ending without a lane makes room for one, and for no bytes", .timeLimit(.minutes(20)))
    func withoutLane() async {
        let window = InFlightWindow(maxCount: 2, maxBytes: 10, maxPerLane: 10)
        #expect(await window.take(upTo: 2) == 2)
        window.started(in: lane, bytes: 9)
        var unsent = entry(bytes: 0)
        unsent.lane = nil
        window.ended([unsent])
        #expect(window.laneRoom == [lane: 9])
        #expect(await window.take(upTo: 1) == 1)
        window.started(in: lane, bytes: 1)
        window.ended([unsent])
        // There is room for one, but not for more bytes.
        #expect(await !hasRoom(window, for: 1))
    }

    @Test("a message takes the bytes of its texts, and half a kibibyte")
    func size() {
        #expect(PushMessage(body: "").approximateBytes == 512)
        var message = PushMessage(title: "Tée", body: "1234567")
        message.subtitle = "12345"
        message.customVariables = "12"
        message.keyValuePairs = ["k": "123", "kk": "é"]
        #expect(message.approximateBytes == 512 + 4 + 7 + 5 + 2 + (1 + 3) + (2 + 2))
    }
}
