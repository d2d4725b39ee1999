import Audience
import Campaigns
import ContentTesting
import Foundation
import InAppMessages
import Logging
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Keeping in-app messages")
struct InAppMessageServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_789_999_200)

    private struct World {
        var store: SQLStore
        var service: InAppMessageService
        var workspace: WorkspaceID

        func member(_ role: Member.Role, of workspace: WorkspaceID? = nil) -> Actor {
            .member(
                Member(
                    id: MemberID(1),
                    workspace: workspace ?? self.workspace,
                    name: "Mio",
                    email: "mio@example.org",
                    role: role
                )
            )
        }

        /// A draft that devices could show.
        func draft(_ name: String = "Tasting") -> InAppMessageDefinition {
            var stored = service.blank(in: workspace)
            stored.name = name
            stored.message.message = "Come and taste"
            stored.message.rules.triggers = [.sessionStart]
            return stored
        }

        func found(_ stored: InAppMessageDefinition) async throws -> InAppMessageDefinition {
            try #require(try await service.message(stored.id, in: workspace))
        }

        func log() async throws -> [AuditRecord] {
            try await store.audit(in: workspace, matching: AuditQuery()).records.reversed()
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-in-app-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let now: @Sendable () -> Date = { Self.now }
        try await body(
            World(
                store: store,
                service: InAppMessageService(
                    store: store,
                    audience: SegmentationService(
                        store: store,
                        now: now,
                        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                    ),
                    fetcher: NoContent(),
                    now: now
                ),
                workspace: try await StoreConformance(store).fixture().workspace
            )
        )
    }

    @Test("each step is in the log once, with who took it")
    func steps() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            let draft = world.draft()
            try await world.service.create(draft, by: marketer)
            for (step, state) in [
                (InAppMessageDefinition.Step.activate, InAppMessageDefinition.State.active),
                (.pause, .paused), (.activate, .active), (.pause, .paused), (.archive, .archived),
            ] {
                let seen = try await world.found(draft)
                #expect(try await world.service.take(step, with: seen, by: marketer))
                #expect(try await world.found(draft).state == state)
            }
            let over = try await world.found(draft)
            for step in InAppMessageDefinition.Step.allCases {
                #expect(try await !world.service.take(step, with: over, by: marketer))
            }
            let log = try await world.log()
            #expect(
                log.map(\.action) == [
                    "in_app_saved", "in_app_activated", "in_app_paused", "in_app_activated",
                    "in_app_paused", "in_app_archived",
                ]
            )
            #expect(Set(log.map(\.author)) == ["Mio"])
            #expect(Set(log.map(\.subject)) == [draft.message.id])
            #expect(Set(log.map(\.detail)) == ["Tasting"])
        }
    }

    @Test("nobody shows what somebody else has changed since they looked at it")
    func version() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            let draft = world.draft()
            try await world.service.create(draft, by: marketer)
            let seen = try await world.found(draft)
            var changed = seen
            changed.message.message = "Stay away"
            #expect(try await world.service.update(changed, by: marketer))
            // Whether the stored message was read before the change or after it.
            #expect(try await !world.service.take(.activate, with: seen, by: marketer))
            let current = try await world.found(draft)
            #expect(
                try await !world.service.take(
                    .activate,
                    with: current,
                    seenAt: seen.updatedAt,
                    by: marketer
                )
            )
            #expect(try await world.found(draft).state == .draft)
            #expect(try await world.log().count == 2)
        }
    }

    @Test("what can no longer be rendered can be paused, and not activated again")
    func broken() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            // Stored before a block was taken away.
            var broken = world.draft()
            broken.state = .active
            broken.message.message = "{{content_blocks.${gone}}}"
            try await world.store.createInAppMessage(broken)
            let seen = try await world.found(broken)
            #expect(try await world.service.take(.pause, with: seen, by: marketer))
            let paused = try await world.found(broken)
            await #expect(throws: (any Error).self) {
                try await world.service.take(.activate, with: paused, by: marketer)
            }
            #expect(try await world.found(broken).state == .paused)
        }
    }

    @Test("viewers and members of other workspaces change nothing")
    func roles() async throws {
        try await withWorld { world in
            let draft = world.draft()
            try await world.service.create(draft, by: world.member(.marketer))
            for actor in [
                world.member(.viewer),
                world.member(.administrator, of: WorkspaceID(world.workspace.rawValue + 1)),
            ] {
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.create(world.draft("Another"), by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.update(draft, by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.service.take(.archive, with: draft, by: actor)
                }
            }
            #expect(try await world.log().count == 1)
        }
    }

    @Test("a name that is taken is a fault of the name")
    func names() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            try await world.service.create(world.draft(), by: marketer)
            do {
                try await world.service.create(world.draft(), by: marketer)
                Issue.record("two messages of one name")
            } catch let problems as ValidationError {
                #expect(problems.problems.map(\.field) == ["name"])
            }
        }
    }
}
