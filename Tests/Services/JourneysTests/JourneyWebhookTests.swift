import Crypto
import Foundation
import Journeys
import Liquid
import Model
import NoroshiWire
import Ports
import Synchronization
import Testing

@Suite("Webhook steps") struct JourneyWebhookTests {
    /// A server that answers as it is told, and remembers what it was asked.
    private final class Receiver: ContentFetcher {
        private let answers: Mutex<[Int]>
        private let calls = Mutex<[ConnectedContentRequest]>([])

        /// - Parameter answers: Statuses, one after the other; the last one stays. 0 is no answer.
        init(_ answers: Int...) { self.answers = Mutex(answers) }

        var requests: [ConnectedContentRequest] { calls.withLock { $0 } }

        func fetch(
            _ request: ConnectedContentRequest,
            for workspace: WorkspaceID
        ) async throws -> ConnectedContentResponse {
            calls.withLock { $0.append(request) }
            let status = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return ConnectedContentResponse(status: status, body: [])
        }
    }

    private static func calling() -> JourneyDefinition {
        var steps = Steps()
        steps.add(
            "call",
            .webhook(
                JourneyWebhook(
                    url: "https://example.org/{{${user_id}}}",
                    headers: ["X-Tea": "{{event_properties.${tea}}}"],
                    body: "{\"cups\": {{event_properties.${cups}}}}"
                )
            ),
            next: "after"
        )
        steps.push("after")
        return JourneyDefinition(
            name: "Calls",
            entry: .event(EventMatch(.custom(name: "ordered"))),
            steps: steps.steps
        )
    }

    private func enter(_ world: JourneyFixture) async throws -> Journey {
        try await world.user("aki")
        let journey = try await world.start(Self.calling())
        try await world.event("ordered", by: "aki", ["tea": "sencha", "cups": 2])
        // Nobody waits for an answer.
        #expect(try await world.texts() == ["aki: after"])
        return journey
    }

    @Test("a call is made once, with what the person brought along, and signed")
    func signed() async throws {
        try await JourneyFixture.run { world in
            let journey = try await enter(world)
            let receiver = Receiver(204)
            #expect(try await world.caller(receiver).step())
            #expect(try await !world.caller(receiver).step())
            world.advance(Steps.day)
            #expect(try await !world.caller(receiver).step())
            let request = try #require(receiver.requests.first)
            #expect(receiver.requests.count == 1)
            #expect(request.url == "https://example.org/aki")
            #expect(request.method == "POST" && request.contentType == "application/json")
            #expect(request.headers["X-Tea"] == "sencha")
            #expect(request.body == "{\"cups\": 2}")
            // What a receiver does with the key that it was shown.
            let signature = try #require(request.headers["X-Noroshi-Signature"])
            let parts = Dictionary(
                uniqueKeysWithValues: signature.split(separator: ",").map {
                    (String($0.prefix { $0 != "=" }), String($0.drop { $0 != "=" }.dropFirst()))
                }
            )
            let seconds = try #require(parts["t"])
            let key = WebhookKey(root: SymmetricKey(data: Data(repeating: 7, count: 32)))
                .text(of: world.workspace)
            let code = HMAC<SHA256>.authenticationCode(
                for: Data("\(seconds).\(request.body ?? "")".utf8),
                using: SymmetricKey(data: Data(key.utf8))
            )
            let digits = code.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
            #expect(parts["v1"] == digits)
            let figures = try await world.figures(journey)
            #expect(figures.steps.values.allSatisfy { $0.failed == 0 })
        }
    }

    @Test("a server that fails is asked again, later each time, under the same key")
    func retried() async throws {
        try await JourneyFixture.run { world in
            _ = try await enter(world)
            let receiver = Receiver(503, 0, 429, 200)
            var pauses: [TimeInterval] = []
            var waited: TimeInterval = 0
            while receiver.requests.count < 4 {
                let before = receiver.requests.count
                _ = try await world.caller(receiver).step()
                if receiver.requests.count > before, before > 0 {
                    pauses.append(waited)
                    waited = 0
                }
                world.advance(5)
                waited += 5
            }
            #expect(pauses == [10, 20, 40])
            #expect(Set(receiver.requests.map { $0.headers["Idempotency-Key"] }).count == 1)
            world.advance(Steps.day)
            #expect(try await !world.caller(receiver).step())
        }
    }

    @Test("a call that cannot be taken is given up, and the person is among those who failed")
    func givenUp() async throws {
        try await JourneyFixture.run { world in
            let journey = try await enter(world)
            let receiver = Receiver(400)
            #expect(try await world.caller(receiver).step())
            world.advance(Steps.day)
            #expect(try await !world.caller(receiver).step())
            let step = try #require(journey.draft.steps.first?.id)
            #expect(try await world.figures(journey).steps[step]?.failed == 1)
            let people = try await world.service.people(
                at: step,
                of: journey,
                in: .failed,
                page: ListPage(size: 10)
            )
            #expect(people.total == 1)
            let profile = try await world.profile("aki")
            #expect(people.entries.map(\.profile) == [profile.id])
        }
    }

    @Test("a server that never answers is given up in the end")
    func endless() async throws {
        try await JourneyFixture.run { world in
            let journey = try await enter(world)
            let receiver = Receiver(500)
            for _ in 0..<40 {
                _ = try await world.caller(receiver) { $0.attempts = 5 }.step()
                world.advance(7_200)
            }
            #expect(receiver.requests.count == 5)
            let step = try #require(journey.draft.steps.first?.id)
            #expect(try await world.figures(journey).steps[step]?.failed == 1)
        }
    }
}
