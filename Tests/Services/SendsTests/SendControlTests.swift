import Campaigns
import Foundation
import Model
import Ports
import Sends
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Control of a send")
struct SendControlTests {
    private static let now = Date(timeIntervalSince1970: 1_789_999_200)

    /// What control has told of.
    private final class Told: Sendable {
        private let sends = Mutex<[SendID]>([])

        func add(_ send: SendID) { sends.withLock { $0.append(send) } }
        var all: [SendID] { sends.withLock { $0 } }
    }

    private struct World {
        var store: SQLStore
        var control: SendControl
        var told: Told
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

        func send(in seconds: Double = 3600) async throws -> Send {
            try await store.createSend(
                SendContent(message: PushMessage(body: "Tea"), audience: .everyone),
                in: workspace,
                scheduledAt: now.addingTimeInterval(seconds),
                now: now
            )
        }

        func log() async throws -> [AuditRecord] {
            try await store.audit(in: workspace, matching: AuditQuery()).records.reversed()
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-control-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let told = Told()
        try await body(
            World(
                store: store,
                control: SendControl(store: store, now: { Self.now }) { send, _ in told.add(send) },
                told: told,
                workspace: try await StoreConformance(store).fixture().workspace
            )
        )
    }

    @Test("is written down and told once for each step that was done, whoever took it")
    func steps() async throws {
        try await withWorld { world in
            let send = try await world.send()
            let actors: [Actor] = [
                world.member(.marketer),
                .key(
                    APIKey(
                        workspace: world.workspace,
                        name: "shop",
                        permissions: ["*"],
                        createdAt: Self.now
                    )
                ),
                .commandLine(account: "root", world.workspace),
            ]
            let steps: [SendStep] = [.pause, .resume, .stop]
            for (step, actor) in zip(steps, actors) {
                #expect(try await world.control.take(step, with: send, by: actor))
                // Its state does not allow it a second time.
                #expect(try await !world.control.take(step, with: send, by: actor))
            }
            #expect(try await world.store.send(send.id)?.state == .cancelled)
            let log = try await world.log()
            #expect(log.map(\.action) == ["push_paused", "push_resumed", "push_cancelled"])
            #expect(log.map(\.author) == ["Mio", "shop", "root"])
            #expect(log.map(\.origin) == [.console, .api, .commandLine])
            #expect(Set(log.map(\.subject)) == ["#\(send.id)"])
            #expect(world.told.all == [send.id, send.id, send.id])
        }
    }

    @Test("is for marketers of its workspace only")
    func strangers() async throws {
        try await withWorld { world in
            let send = try await world.send()
            for actor in [
                world.member(.viewer),
                world.member(.administrator, of: WorkspaceID(world.workspace.rawValue + 1)),
            ] {
                for step in SendStep.allCases {
                    await #expect(throws: NotAllowedError.self) {
                        try await world.control.take(step, with: send, by: actor)
                    }
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.control.takeBack(send, by: actor)
                }
                await #expect(throws: NotAllowedError.self) {
                    try await world.control.move(
                        send,
                        to: Self.now,
                        content: send.content,
                        by: actor
                    )
                }
            }
            await #expect(throws: NotAllowedError.self) {
                try await world.control.limit(to: 1, by: world.member(.marketer))
            }
            #expect(try await world.store.send(send.id)?.state == .scheduled)
            #expect(try await world.log().isEmpty)
            #expect(world.told.all.isEmpty)
        }
    }

    @Test("moves what waits and tells of it")
    func moves() async throws {
        try await withWorld { world in
            let send = try await world.send()
            let sooner = Self.now.addingTimeInterval(60)
            let actor = world.member(.marketer)
            #expect(
                try await world.control.move(send, to: sooner, content: send.content, by: actor)
            )
            #expect(try await world.store.send(send.id)?.scheduledAt == sooner)
            #expect(try await world.control.take(.stop, with: send, by: actor))
            #expect(
                try await !world.control.move(send, to: sooner, content: send.content, by: actor)
            )
            #expect(world.told.all == [send.id, send.id])
        }
    }

    @Test("sets the workspace's limit and writes it down")
    func limit() async throws {
        try await withWorld { world in
            for limit in [.min, -1, 0, 100_000_001, .max] as [Int] {
                await #expect(throws: ValidationError.self, "\(limit)") {
                    try await world.control.limit(to: limit, by: world.member(.administrator))
                }
            }
            try await world.control.limit(to: 60, by: world.member(.administrator))
            #expect(try await world.store.pushLimit(of: world.workspace) == 60)
            try await world.control.limit(to: nil, by: world.member(.administrator))
            #expect(try await world.store.pushLimit(of: world.workspace) == nil)
            let log = try await world.log()
            #expect(log.map(\.action) == ["push_limit_changed", "push_limit_changed"])
            #expect(log.map(\.subject) == ["60", "none"])
        }
    }
}
