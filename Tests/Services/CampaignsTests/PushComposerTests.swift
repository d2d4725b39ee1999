import Campaigns
import Foundation
import Model
import Ports
import Reasons
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("A push that somebody has written")
struct PushComposerTests {
    private static let now = Date(timeIntervalSince1970: 1_789_999_200)

    private struct World {
        var store: SQLStore
        var workspace: WorkspaceID
        var told = Told()

        /// What the composer has told of.
        final class Told: Sendable {
            private let sends = Mutex<[SendID]>([])

            func add(_ send: SendID) { sends.withLock { $0.append(send) } }
            var all: [SendID] { sends.withLock { $0 } }
        }

        func composer(undoSeconds: Int = 0) -> PushComposer {
            PushComposer(
                store: store,
                undoSeconds: undoSeconds,
                payload: PayloadMeter(limit: 40) { $0.body.utf8.count },
                now: { PushComposerTests.now }
            ) { send, _ in told.add(send) }
        }

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

        var key: Actor {
            .key(APIKey(workspace: workspace, name: "shop", permissions: ["*"], createdAt: now))
        }

        func draft() async throws -> UUID {
            let draft = FormDraft(
                id: UUID(),
                workspace: workspace,
                kind: .push,
                fields: "message=Tea",
                title: "Tea",
                author: "Mio",
                updatedAt: now
            )
            _ = try await store.saveDraft(draft, seen: 0, limit: 10, finishedSince: .distantPast)
            return draft.id
        }

        func log() async throws -> [AuditRecord] {
            try await store.audit(in: workspace, matching: AuditQuery()).records.reversed()
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-composer-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let workspace = try await StoreConformance(store).fixture().workspace
        try await body(World(store: store, workspace: workspace))
    }

    private static func content(_ body: String = "Tea", title: String = "") -> SendContent {
        SendContent(message: PushMessage(title: title, body: body), audience: .everyone)
    }

    @Test("is sent in the name of whoever asked, who is in the log with what it says")
    func author() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            let first = try await world.composer().send(Self.content(title: "Now"), by: marketer)
            let later = Self.now.addingTimeInterval(60)
            let second = try await world.composer().send(Self.content(), by: marketer, at: later)
            let tried = try await world.composer().send(
                Self.content(),
                by: marketer,
                detail: "A test for ada"
            )
            #expect(first.content.author == "Mio")
            let log = try await world.log()
            #expect(log.map(\.action) == ["push_sent", "push_scheduled", "push_sent"])
            #expect(log.map(\.subject) == [first, second, tried].map { "#\($0.id)" })
            #expect(log.map(\.detail) == ["Now", "Tea", "A test for ada"])
            #expect(world.told.all == [first.id, second.id, tried.id])
        }
    }

    @Test("is in the log of a request as it is in that of a member")
    func request() async throws {
        try await withWorld { world in
            let send = try await world.composer().send(Self.content(), by: world.key)
            #expect(send.content.author == "shop")
            let own = try await world.composer().send(Self.content(), by: world.member(.marketer))
            let log = try await world.log()
            #expect(log.map(\.author) == ["shop", "Mio"])
            #expect(log.map(\.origin) == [.api, .console])
            #expect(log.map(\.subject) == [send, own].map { "#\($0.id)" })
            #expect(Set(log.map { "\($0.action) \($0.detail)" }) == ["push_sent Tea"])
        }
    }

    @Test("is refused if it is the same for everybody and too large for iPhones")
    func payload() async throws {
        try await withWorld { world in
            let composer = world.composer()
            let large = Self.content(String(repeating: "x", count: 41))
            await #expect(
                throws: ValidationError([
                    FieldProblem(
                        .push(.body),
                        .payloadTooLarge,
                        ["bytes": "41", "limit": "40"]
                    )
                ])
            ) {
                try await composer.send(large, by: world.key)
            }
            let whole = Self.content(String(repeating: "x", count: 40))
            let later = Self.now.addingTimeInterval(60)
            let send = try await composer.send(whole, by: world.key, at: later)
            await #expect(throws: ValidationError.self) {
                try await composer.update(send, to: large, at: later, by: world.key)
            }
            var own = Self.content()
            own.platforms = [.ios: PlatformMessage(large.message)]
            await #expect(throws: ValidationError.self) {
                try await composer.send(own, by: world.key)
            }
        }
    }

    @Test("is measured by its users if it differs between them, and by others than iPhones not")
    func otherPayload() async throws {
        try await withWorld { world in
            let long = String(repeating: "x", count: 41)
            let personal = Self.content(long + "{{${first_name}}}")
            _ = try await world.composer().send(personal, by: world.key)
            var android = Self.content(long)
            android.onlyPlatforms = [.android]
            _ = try await world.composer().send(android, by: world.key)
            var shortOnIOS = Self.content(long)
            shortOnIOS.platforms = [.ios: PlatformMessage(PushMessage(body: "Tea"))]
            _ = try await world.composer().send(shortOnIOS, by: world.key)
        }
    }

    @Test("is for marketers, and a send for those of its workspace")
    func strangers() async throws {
        try await withWorld { world in
            let later = Self.now.addingTimeInterval(60)
            let composer = world.composer()
            let send = try await composer.send(Self.content(), by: world.key, at: later)
            let draft = try await world.draft()
            let viewer = world.member(.viewer)
            let stranger = world.member(
                .administrator,
                of: WorkspaceID(world.workspace.rawValue + 1)
            )
            await #expect(throws: NotAllowedError.self) {
                try await composer.send(Self.content(), by: viewer)
            }
            await #expect(throws: NotAllowedError.self) {
                try await composer.send(Self.content(), ofDraft: draft, by: viewer)
            }
            for actor in [viewer, stranger] {
                await #expect(throws: NotAllowedError.self) {
                    try await composer.update(send, to: Self.content("B"), at: later, by: actor)
                }
            }
            #expect(try await world.store.send(send.id)?.content.message.body == "Tea")
            #expect(try await world.store.draft(draft, in: world.workspace)?.outcome == nil)
        }
    }

    @Test("is sent once for its draft, and logged once, however often that is asked")
    func once() async throws {
        try await withWorld { world in
            let draft = try await world.draft()
            let marketer = world.member(.marketer)
            let composer = world.composer(undoSeconds: 30)
            let first = try await composer.send(Self.content(), ofDraft: draft, by: marketer)
            let second = try await composer.send(Self.content(), ofDraft: draft, by: marketer)
            let id = try #require(first)
            #expect(second == id)
            let held = try #require(try await world.store.send(id))
            #expect(held.content.heldUntil == Self.now.addingTimeInterval(30))
            #expect(held.scheduledAt == held.content.heldUntil)
            #expect(try await world.log().map(\.action) == ["push_sent"])
            let nothing = try await composer.send(Self.content(), ofDraft: UUID(), by: marketer)
            #expect(nothing == nil)
        }
    }

    @Test("is held by nobody where there is no time to undo, nor when it is scheduled")
    func notHeld() async throws {
        try await withWorld { world in
            let marketer = world.member(.marketer)
            let later = Self.now.addingTimeInterval(60)
            for (undo, time) in [(0, nil), (30, later)] as [(Int, Date?)] {
                let id = try #require(
                    try await world.composer(undoSeconds: undo).send(
                        Self.content(),
                        ofDraft: world.draft(),
                        by: marketer,
                        at: time
                    )
                )
                let send = try #require(try await world.store.send(id))
                #expect(send.content.heldUntil == nil)
                #expect(send.scheduledAt == time ?? Self.now)
            }
        }
    }

    @Test("is changed while it waits: its author stays, its draft is over, and the log says so")
    func update() async throws {
        try await withWorld { world in
            let later = Self.now.addingTimeInterval(60)
            let composer = world.composer()
            let send = try await composer.send(Self.content(), by: world.key, at: later)
            let draft = try await world.draft()
            let marketer = world.member(.marketer)
            let isUpdated = try await composer.update(
                send,
                to: Self.content("Coffee"),
                at: later,
                ofDraft: draft,
                by: marketer
            )
            #expect(isUpdated)
            let changed = try #require(try await world.store.send(send.id))
            #expect(changed.content.message.body == "Coffee")
            #expect(changed.content.author == "shop")
            let kept = try await world.store.draft(draft, in: world.workspace)
            #expect(kept?.outcome == "\(send.id)")
            #expect(try await world.log().map(\.action) == ["push_scheduled", "push_changed"])
            _ = try await world.store.startPlanningDueSends(now: later)
            #expect(
                try await !composer.update(send, to: Self.content(), at: later, by: marketer)
            )
            #expect(try await world.log().count == 2)
        }
    }
}
