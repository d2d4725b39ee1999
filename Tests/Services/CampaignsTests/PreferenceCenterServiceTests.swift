import Campaigns
import Crypto
import Foundation
import Model
import Ports
import Testing

@Suite("Pages of preferences")
struct PreferenceCenterServiceTests {
    private func service(_ world: CampaignFixture) -> PreferenceCenterService {
        PreferenceCenterService(
            store: world.store,
            links: PreferenceLinks(key: SymmetricKey(data: Data(repeating: 7, count: 32))),
            now: { world.now },
            makeID: { UUID() }
        )
    }

    private func draft(
        _ page: String = "Hello",
        state: PreferenceCenter.State = .active
    ) -> PreferenceCenterService.Draft {
        PreferenceCenterService.Draft(
            title: "Letters",
            page: page,
            confirmation: "Thanks",
            viewport: nil,
            state: state
        )
    }

    private func run(
        _ body: (CampaignFixture, PreferenceCenterService) async throws -> Void
    ) async throws {
        try await CampaignFixture.run(at: "2026-07-04T00:00:00Z") { (world) async throws in
            try await body(world, service(world))
        }
    }

    /// The field that is at fault; `nil` when there is none.
    private func field(
        _ body: () async throws -> Void
    ) async throws -> FieldPath? {
        do {
            try await body()
            return nil
        } catch let error as ValidationError {
            return error.problems.first?.path
        }
    }

    @Test("a name has 1 to 250 letters, digits, hyphens and underscores")
    func names() async throws {
        try await run { (world, service) async throws in
            for (name, isGood) in [
                ("a", true), ("letters-2_b", true), (String(repeating: "a", count: 250), true),
                (String(repeating: "a", count: 251), false), ("", false), ("a b", false),
                ("茶", false),
            ] {
                let found = try await field {
                    _ = try await service.create(name, draft(), in: world.workspace)
                }
                #expect(found == (isGood ? nil : .preferenceCenter(.name)), "\(name.prefix(9))")
            }
            // Once in a workspace.
            let again = try await field {
                _ = try await service.create("a", draft(), in: world.workspace)
            }
            #expect(again == .preferenceCenter(.name))
        }
    }

    @Test("a workspace has up to a hundred of them")
    func count() async throws {
        try await run { (world, service) async throws in
            for number in 0..<100 {
                _ = try await service.create("page\(number)", draft(), in: world.workspace)
            }
            let more = try await field {
                _ = try await service.create("more", draft(), in: world.workspace)
            }
            #expect(more == .preferenceCenter(.name))
            #expect(try await service.centers(in: world.workspace).count == 100)
        }
    }

    @Test("the limits of its texts are those that the documents name")
    func limits() {
        #expect(PreferenceCenterService.titleLimit == 255)
        #expect(PreferenceCenterService.pageLimit == 200_000)
        #expect(PreferenceCenterService.viewportLimit == 255)
    }

    @Test("a text that cannot be parsed, or asks for more than there is, is named")
    func texts() async throws {
        try await run { (world, service) async throws in
            for text in ["{% if %}", "{% connected_content http://a.example %}"] {
                var draft = draft(text)
                let page = try await field {
                    _ = try await service.create("p", draft, in: world.workspace)
                }
                #expect(page == .preferenceCenter(.page), "\(text)")
                (draft.page, draft.confirmation) = ("a", text)
                let confirmation = try await field {
                    _ = try await service.create("p", draft, in: world.workspace)
                }
                #expect(confirmation == .preferenceCenter(.confirmation), "\(text)")
            }
        }
    }

    @Test("a link leads to an active page of a user who is there, for as long as both are")
    func links() async throws {
        try await run { (world, service) async throws in
            try await world.user("ada")
            let center = try await service.create("p", draft(), in: world.workspace)
            func token(_ user: String) async throws -> String? {
                try await service.token(
                    forUser: .external(user),
                    on: center.id,
                    in: world.workspace
                )
            }
            #expect(try await token("nobody") == nil)
            let link = try #require(try await token("ada"))
            #expect(try await service.page(link, submitURL: "/x")?.body == "Hello")
            #expect(try await service.confirmation(link, submitURL: "/x")?.body == "Thanks")
            world.advance(60)
            let changed = try await service.update(
                center.id,
                to: draft("Later", state: .draft),
                in: world.workspace
            )
            #expect(changed?.updatedAt == world.now && changed?.page == "Later")
            #expect(try await token("ada") == nil)
            #expect(try await service.page(link, submitURL: "/x") == nil)
            #expect(try await service.confirmation(link, submitURL: "/x") == nil)
            #expect(try await service.choice(link, []) == nil)
            #expect(try await service.update(UUID(), to: draft(), in: world.workspace) == nil)
        }
    }

    @Test("a box of the page that is not sent is not checked; a box that is not there says nothing")
    func choices() async throws {
        try await run { (world, service) async throws in
            try await world.user("ada")
            let groups = [UUID(), UUID(), UUID()]
            for (index, id) in groups.enumerated() {
                try await world.store.createSubscriptionGroup(
                    SubscriptionGroup(
                        id: id,
                        workspace: world.workspace,
                        name: "g\(index)",
                        channel: .email
                    ),
                    noting: nil,
                    now: world.now
                )
            }
            // The identifier may be written in small or in capital letters.
            let small = "subscription_group:" + groups[0].uuidString.lowercased()
            let large = "subscription_group:" + groups[1].uuidString
            let center = try await service.create(
                "p",
                draft("<input name=\"\(small)\"><input name=\"\(large)\">"),
                in: world.workspace
            )
            let link = try #require(
                try await service.token(
                    forUser: .external("ada"),
                    on: center.id,
                    in: world.workspace
                )
            )
            func choice(
                _ fields: [(name: String, value: String)]
            ) async throws -> PreferenceCenterService.Choice {
                try #require(try await service.choice(link, fields))
            }
            let none = try await choice([])
            #expect(none.email == nil)
            #expect(none.groups == [groups[0]: .unsubscribed, groups[1]: .unsubscribed])
            // The last of several fields of a name counts.
            let some = try await choice([
                (small, "unsubscribed"), (large, "subscribed"), (small, "subscribed"),
                ("email_global_state", "unsubscribed"),
            ])
            #expect(some.groups == [groups[0]: .subscribed, groups[1]: .subscribed])
            #expect(some.email == nil)
            for value in ["opted_in", "", "SUBSCRIBED"] {
                let found = try await field { _ = try await choice([(small, value)]) }
                #expect(found == .request(small))
            }
        }
    }
}
