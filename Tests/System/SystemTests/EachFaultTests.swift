import Foundation
import Gateways
import Model
import Server
import Testing

/// Every fault that a script can play, from the wire to the ledger, at each provider.
@Suite("Each fault of a script ends in the right state of the ledger")
struct EachFaultTests {
    static let providers: [PushProvider] = [.apns, .fcm, .webPush]

    private struct Case {
        var name: String
        /// What happens to the first request; the next one is taken.
        var fault: String
        /// Attempts in the ledger: a request that was surely not looked at is none.
        var attempts = 1
    }

    private static let cases = [
        Case(name: "an answer that comes late", fault: #""delay_ms": 300"#),
        Case(name: "a stream that was refused", fault: #""reset": 7"#),
        Case(name: "a GOAWAY", fault: #""goaway": "Shutdown""#),
        Case(name: "a stream that was reset", fault: #""reset": 2"#, attempts: 2),
        Case(name: "a cut connection", fault: #""drop": true"#, attempts: 2),
    ]

    @Test("one push that meets it once is accepted in the end", arguments: providers)
    func once(provider: PushProvider) async throws {
        try await DispatchFixture.run(provider) { bench in
            for one in Self.cases {
                let device = try await bench.device()
                let row = try await meet(one.fault, device, bench)
                let name = "\(provider.rawValue): \(one.name)"
                #expect(row.state == 2, "\(name)")
                #expect(row.hasToken, "\(name)")
                #expect(row.attempts == one.attempts, "\(name)")
                #expect(bench.copies(for: device) == 1, "\(name)")
            }
        }
    }

    @Test("no answer and a lost answer: sent again after the deadline", arguments: providers)
    func noAnswer(provider: PushProvider) async throws {
        try await DispatchFixture.run(provider, deadline: 2) { bench in
            let stalled = try await bench.device()
            let first = try await meet(#""stall": true"#, stalled, bench)
            #expect(first.state == 2)
            #expect(first.attempts >= 2)
            let lost = try await bench.device()
            let second = try await meet(#""lose_answer": true"#, lost, bench)
            #expect(second.state == 2)
            #expect(second.attempts >= 2)
            // The device gets both, under one id.
            #expect(bench.copies(for: lost) >= 2)
        }
    }

    /// Sends a push that meets a fault once, and waits for its ending.
    private func meet(
        _ fault: String,
        _ device: DispatchFixture.Device,
        _ bench: DispatchFixture
    ) async throws -> DispatchFixture.Row {
        try bench.play(#"{"faults": [{"token": "\#(device.faultKey)", "times": 1, \#(fault)}]}"#)
        try await bench.send(to: device)
        return try await bench.ending(of: device)
    }

    @Test("429 with Retry-After waits for as long as it says, then arrives", arguments: providers)
    func retryAfter(provider: PushProvider) async throws {
        let reason = [.apns: "TooManyRequests", .fcm: "QUOTA_EXCEEDED"][provider] ?? "Slow"
        try await DispatchFixture.run(provider) { bench in
            let device = try await bench.device()
            try bench.play(
                """
                {"faults": [
                    {"times": 1, "status": 429, "reason": "\(reason)", "retry_after": 3}]}
                """
            )
            let sentAt = Date()
            try await bench.send(to: device)
            let first = try await bench.outcome(of: device)
            #expect(first.state == 0)
            #expect(first.reason == reason)
            #expect(first.dueAt >= sentAt + 2.9)
            let last = try await bench.ending(of: device)
            #expect(last.state == 2)
            #expect(last.attempts == 2)
        }
    }

    @Test("after an outage everything arrives", arguments: providers)
    func outage(provider: PushProvider) async throws {
        let reason = provider == .fcm ? "UNAVAILABLE" : "ServiceUnavailable"
        try await DispatchFixture.run(provider) { bench in
            let devices = try await bench.devices(5)
            try bench.play(
                """
                {"faults": [{"status": 503, "reason": "\(reason)", "retry_after": 1}]}
                """
            )
            try await bench.send(to: devices)
            for device in devices {
                let first = try await bench.outcome(of: device)
                #expect(first.state == 0)
                #expect(first.reason == reason)
            }
            // The outage is over when every push has met it, however long that takes.
            try bench.play("{}")
            for device in devices {
                #expect(try await bench.ending(of: device).state == 2)
            }
            #expect(bench.acceptedCount == 5)
        }
    }

    @Test("faults by chance: each push is accepted or its token retired", arguments: providers)
    func byChance(provider: PushProvider) async throws {
        let answer =
            provider == .fcm
            ? #""status": 404, "reason": "UNREGISTERED""#
            : #""status": 410, "reason": "Unregistered""#
        try await DispatchFixture.run(provider) { bench in
            let devices = try await bench.devices(80)
            try bench.play(#"{"seed": 3, "faults": [{"probability": 0.3, \#(answer)}]}"#)
            try await bench.send(to: devices)
            for device in devices { _ = try await bench.ending(of: device) }
            let rows = try await bench.rows("TRUE")
            let accepted = rows.filter { $0.state == 2 }
            let refused = rows.filter { $0.state == 3 }
            #expect(accepted.count + refused.count == 80)
            #expect((8...40).contains(refused.count))
            #expect(accepted.allSatisfy { $0.hasToken })
            #expect(refused.allSatisfy { !$0.hasToken })
            #expect(bench.acceptedCount == accepted.count)
        }
    }

    @Test(
        "a GOAWAY with 500 in flight: all arrive once, at the first attempt",
        arguments: providers
    )
    func goAway(provider: PushProvider) async throws {
        try await inFlight(provider, #""goaway": "Shutdown""#) { bench, rows in
            #expect(rows.allSatisfy { $0.attempts == 1 })
            #expect(bench.acceptedCount == 501)
        }
    }

    @Test("a cut with 500 in flight: what had no answer is sent again", arguments: providers)
    func cut(provider: PushProvider) async throws {
        try await inFlight(provider, #""drop": true"#) { bench, rows in
            #expect(rows.contains { $0.attempts > 1 })
            #expect(bench.acceptedCount >= 501)
        }
    }

    /// Sends 500 pushes of which one meets the fault, and waits for their endings.
    private func inFlight(
        _ provider: PushProvider,
        _ fault: String,
        _ judge: @escaping @Sendable (DispatchFixture, [DispatchFixture.Row]) -> Void
    ) async throws {
        try await DispatchFixture.run(provider) { bench in
            let devices = try await bench.devices(501)
            // Opens the connection, so that the others go out together.
            try await bench.send(to: devices[0])
            #expect(try await bench.ending(of: devices[0]).state == 2)
            try bench.play(
                #"{"latency_ms": 200, "faults": [{"skip": 250, "times": 1, \#(fault)}]}"#
            )
            try await bench.send(to: Array(devices.dropFirst()))
            for device in devices { _ = try await bench.ending(of: device) }
            let rows = try await bench.rows("TRUE")
            #expect(rows.count == 501)
            #expect(rows.allSatisfy { $0.state == 2 && $0.hasToken })
            for device in devices { #expect(bench.copies(for: device) >= 1) }
            judge(bench, rows)
        }
    }
}
