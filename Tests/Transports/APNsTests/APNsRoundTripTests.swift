import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Testing

@Suite("A push travels to Apple's service and arrives at the device")
struct APNsRoundTripTests {
    @Test("one push is accepted under its dispatch id and reaches the phone with its headers")
    func onePush() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            var phone = bench.simulator.pushes(for: token).makeAsyncIterator()
            let expiration = Date(timeIntervalSince1970: 4_000_000_000)
            let push = bench.push(
                to: token,
                options: DeliveryOptions(expiration: expiration, priority: .normal)
            )

            let outcome = await bench.transport.send(push)

            #expect(outcome == .accepted(providerID: push.dispatch.description))
            let arrived = try #require(await phone.next())
            #expect(arrived.id == push.dispatch.description)
            #expect(arrived.collapseID == push.dispatch.description)
            #expect(arrived.topic == APNsTestBench.bundleID)
            #expect(arrived.priority == 5)
            #expect(arrived.pushType == "alert")
            #expect(arrived.expiration == expiration)
            #expect(arrived.payload == APNsPayload.encode(push))
        }
    }

    @Test("five hundred pushes at once are all accepted, over one connection")
    func manyPushes() async throws {
        try await APNsTestBench.run { bench in
            let pushes = (0..<500).map { _ in bench.push(to: bench.device()) }

            let outcomes = await bench.sendAll(pushes)

            #expect(outcomes.filter(\.isAccepted).count == 500)
            #expect(bench.simulator.acceptedCount == 500)
            let ids = Set(bench.simulator.accepted.map(\.id))
            #expect(ids == Set(pushes.map(\.dispatch.description)))
            #expect(await bench.transport.statistics().connectionsOpened == 1)
        }
    }

    @Test("large payloads pass although they exceed the connection's window together")
    func flowControl() async throws {
        try await APNsTestBench.run { bench in
            let pushes = (0..<200).map { _ in
                bench.push(to: bench.device()) { message in
                    message.body = String(repeating: "x", count: 3500)
                }
            }

            let outcomes = await bench.sendAll(pushes)

            #expect(outcomes.filter(\.isAccepted).count == 200)
        }
    }

    @Test("a phone that was offline gets the latest push, and only that")
    func storedPush() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            for body in ["first", "second"] {
                let outcome = await bench.transport.send(
                    bench.push(to: token) { $0.body = body }
                )
                #expect(outcome.isAccepted)
            }
            var phone = bench.simulator.pushes(for: token).makeAsyncIterator()
            let arrived = try #require(await phone.next())
            #expect(String(decoding: arrived.payload, as: UTF8.self).contains("second"))
            let next = await bench.transport.send(bench.push(to: token) { $0.body = "third" })
            #expect(next.isAccepted)
            let third = try #require(await phone.next())
            #expect(String(decoding: third.payload, as: UTF8.self).contains("third"))
        }
    }

    @Test("a push that expired while the phone was offline is not shown")
    func expiredPush() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            let past = DeliveryOptions(expiration: Date(timeIntervalSince1970: 0))
            #expect(await bench.transport.send(bench.push(to: token, options: past)).isAccepted)
            var phone = bench.simulator.pushes(for: token).makeAsyncIterator()
            #expect(
                await bench.transport.send(bench.push(to: token) { $0.body = "new" }).isAccepted
            )
            let arrived = try #require(await phone.next())
            #expect(String(decoding: arrived.payload, as: UTF8.self).contains("new"))
        }
    }

    @Test("what was accepted can be read as JSON")
    func recordsAsJSON() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            #expect(await bench.transport.send(bench.push(to: token)).isAccepted)
            let json = try JSONSerialization.jsonObject(with: Data(bench.simulator.acceptedJSON))
            let records = try #require(json as? [[String: Any]])
            #expect(records.count == 1)
            #expect(records[0]["token"] as? String == token)
            let payload = try #require(records[0]["payload"] as? [String: Any])
            #expect(payload["push_no"] as? String == "42")
        }
    }
}
