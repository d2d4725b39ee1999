import Campaigns
import Foundation
import Model
import Ports
import Testing

@Suite("Lists that users join and leave")
struct SubscriptionGroupServiceTests {
    private func service(_ world: CampaignFixture) -> SubscriptionGroupService {
        SubscriptionGroupService(store: world.store, now: { world.now }, makeID: { UUID() })
    }

    @Test("a name has 1 to 255 characters, of however many bytes, none of them U+0000")
    func names() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { (world) async throws in
            let service = service(world)
            func isTaken(_ name: String) async throws -> Bool {
                do {
                    let group = try await service.create(
                        name,
                        channel: .email,
                        by: .commandLine(account: "a test", world.workspace)
                    )
                    return group.name == name
                } catch is ValidationError {
                    return false
                }
            }
            for (name, isGood) in [
                ("a", true), (String(repeating: "茶", count: 255), true),
                (String(repeating: "茶", count: 256), false), ("", false), ("a\u{0}b", false),
                ("a\u{1}b", true),
            ] {
                #expect(try await isTaken(name) == isGood, "\(name.prefix(3))")
            }
            // Once in a workspace.
            #expect(try await !isTaken("a"))
            #expect(try await service.groups(in: world.workspace).count == 3)
        }
    }

    @Test("a workspace has up to a thousand of them")
    func count() async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { (world) async throws in
            for number in 0..<999 {
                try await world.store.createSubscriptionGroup(
                    SubscriptionGroup(
                        id: UUID(),
                        workspace: world.workspace,
                        name: "group \(number)",
                        channel: .email
                    ),
                    noting: nil,
                    now: world.now
                )
            }
            let service = service(world)
            let actor = Actor.commandLine(account: "a test", world.workspace)
            _ = try await service.create("last", channel: .email, by: actor)
            await #expect(throws: ValidationError.self) {
                try await service.create("one more", channel: .email, by: actor)
            }
            #expect(try await service.groups(in: world.workspace).count == 1_000)
        }
    }
}
