import Audience
import Foundation
import InAppMessages
import Journeys
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Testing

@Suite("In-app steps") struct JourneyInAppTests {
    private struct NoFetcher: ContentFetcher {
        func fetch(
            _ request: ConnectedContentRequest,
            for workspace: WorkspaceID
        ) async throws -> ConnectedContentResponse {
            throw ContentFetchError.refused(.noCallInReview)
        }
    }

    private func service(_ world: JourneyFixture) -> InAppMessageService {
        InAppMessageService(
            store: world.store,
            audience: SegmentationService(
                store: world.store,
                now: { world.now },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ),
            fetcher: NoFetcher(),
            now: { world.now }
        )
    }

    /// The texts that a user's device gets.
    private func texts(_ user: String, _ world: JourneyFixture) async throws -> [String] {
        let profile = try await world.profile(user)
        let device = try #require(try await world.store.devices(of: profile.id).first)
        return try await service(world)
            .messages(for: device.installation, user: user, of: world.app).map(\.message)
    }

    @Test(
        "only who has come to the step sees the message, with what they brought along, for a while"
    )
    func granted() async throws {
        try await JourneyFixture.run { world in
            try await world.user("aki")
            try await world.user("ben")
            var stored = service(world).blank(in: world.workspace)
            stored.name = "Tour"
            stored.state = .active
            stored.message.message =
                "{{event_properties.${tea}}} {{canvas_entry_properties.${tea}}}"
            stored.message.rules.triggers = [.sessionStart]
            try await service(world).create(stored, by: world.actor)
            #expect(try await texts("aki", world) == [" "])

            var steps = Steps()
            steps.add("wait", .wait(.duration(Steps.hour)), next: "tour")
            steps.add(
                "tour",
                .inAppMessage(JourneyInAppMessage(message: stored.id, duration: Steps.day))
            )
            let journey = try await world.start(
                JourneyDefinition(
                    name: "Tour",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            // From now on it is the journey's.
            #expect(try await texts("aki", world).isEmpty)
            try await world.event("signup", by: "aki", ["tea": "sencha"])
            try await world.settle()
            #expect(try await texts("aki", world).isEmpty)
            world.advance(Steps.hour)
            try await world.settle()
            #expect(try await texts("aki", world) == ["sencha sencha"])
            #expect(try await texts("ben", world).isEmpty)
            world.advance(Steps.day + 1)
            #expect(try await texts("aki", world).isEmpty)
            // A journey that is over keeps it from nobody.
            try await world.service.take(.stop, with: world.read(journey), by: world.actor)
            #expect(try await texts("ben", world) == [" "])
        }
    }
}
