import Foundation
import Model
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// A campaign on an event is launched thousands of times a day: what its launches have of it is stored once.
@Suite("What launches have of their campaign")
struct SharedLaunchContentTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct World {
        let store: SQLStore
        let workspace: WorkspaceID

        func campaign(saying body: String = "日本茶 \"/\"\n{{${first_name}}}") async throws -> Campaign
        {
            let variants = ["A", "B"].map { name in
                CampaignVariant(
                    apiID: UUID(),
                    name: name,
                    weight: 1,
                    message: CampaignMessage(
                        PlatformMessage(PushMessage(title: name, body: body))
                    )
                )
            }
            var content = CampaignContent(
                name: "Tea",
                delivery: .actionBased(
                    EventTrigger(event: EventMatch(.custom(name: "order")), delay: 60)
                ),
                variants: variants
            )
            content.controlShare = 10
            let campaign = try await store.createCampaign(
                content,
                apiID: UUID(),
                in: workspace,
                now: SharedLaunchContentTests.now
            )
            _ = try await store.transitionCampaign(
                campaign.id,
                from: [.draft],
                to: .active,
                nextDueAt: nil,
                now: SharedLaunchContentTests.now
            )
            return try #require(try await store.campaign(campaign.id))
        }

        func launch(_ content: SendContent) async throws -> Send {
            let launch = try #require(content.launch)
            let outcome = try await store.launch(
                LaunchRequest(
                    campaign: launch.campaign,
                    key: launch.occurrence,
                    dueAt: SharedLaunchContentTests.now,
                    content: content,
                    scheduledAt: SharedLaunchContentTests.now
                ),
                now: SharedLaunchContentTests.now
            )
            guard case .launched(let send) = outcome else { throw Unexpected() }
            return send
        }

        func count(_ sql: String) async throws -> Int {
            try await store.read { try Int.fetchOnly($0, sql: sql) }
        }
    }

    private struct Unexpected: Error {}

    private static func withWorld(
        _ kind: StoreKind,
        _ body: (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-launches-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test").path, on: kind)
        let workspace = try await store.createWorkspace(name: "Tea", timeZone: "UTC", now: now)
        try await body(World(store: store, workspace: workspace))
    }

    @Test(
        "is stored once for all that have the same, and each is read as it was written",
        .aboutFiles,
        arguments: StoreKind.available
    )
    func once(kind: StoreKind) async throws {
        try await Self.withWorld(kind) { world in
            let campaign = try await world.campaign()
            let other = try await world.campaign()
            var contents = (1...20).map { number in
                campaign.launchContent(
                    "event-\(number)",
                    audience: .profiles([ProfileID(Int64(number))])
                )
            }
            var edited = campaign
            edited.content.variants[0].message.common.message.body = "Coffee"
            contents.append(edited.launchContent("event-21", audience: .everyone))
            contents.append(other.launchContent("event-1", audience: .profiles([ProfileID(1)])))
            var sends: [Send] = []
            for content in contents { sends.append(try await world.launch(content)) }

            #expect(try await world.count("SELECT count(*) FROM launch_contents") == 3)
            #expect(
                try await world.count(
                    "SELECT count(*) FROM sends WHERE json_type(content, '$.launch.content') IS NULL"
                ) == sends.count
            )
            for (send, content) in zip(sends, contents) {
                #expect(send.content == content)
                #expect(try await world.store.send(send.id) == send)
                #expect(
                    try await world.store.send(publicID: send.publicID, in: world.workspace) == send
                )
            }
            let page = try await world.store.sends(of: campaign.id, limit: 100, offset: 0)
            #expect(page == sends.dropLast().reversed())
            let started = try await world.store.startPlanningDueSends(now: Self.now)
            #expect(started.map(\.content) == contents)
        }
    }

    @Test(
        "is the launch's own where a request names its audience",
        .aboutFiles,
        arguments: StoreKind.available
    )
    func own(kind: StoreKind) async throws {
        try await Self.withWorld(kind) { world in
            let campaign = try await world.campaign()
            var content = campaign.launchContent("a", audience: .profiles([ProfileID(1)]))
            content.launch?.content.audience = content.audience
            let send = try await world.launch(content)
            #expect(try await world.store.send(send.id)?.content == content)
            #expect(try await world.count("SELECT count(*) FROM launch_contents") == 0)
        }
    }

    @Test(
        "is in the launch's text where an earlier version wrote it, with the same figures",
        .aboutFiles,
        arguments: StoreKind.available
    )
    func earlier(kind: StoreKind) async throws {
        try await Self.withWorld(kind) { world in
            let campaign = try await world.campaign()
            let contents = (1...3).map { number in
                campaign.launchContent("event-\(number)", audience: .everyone)
            }
            for content in contents { _ = try await world.launch(content) }
            let record = try await world.store.experiment(
                of: campaign.id,
                conversions: [],
                at: Self.now
            )
            try await world.store.write { database in
                try database.execute(
                    sql: """
                        UPDATE sends SET launch_content_id = NULL, content = json_set(
                            content, '$.launch.content', json((SELECT launch_contents.content
                                FROM launch_contents WHERE id = launch_content_id)))
                        WHERE id = (SELECT min(id) FROM sends)
                        """
                )
            }
            #expect(try await world.count("SELECT count(launch_content_id) FROM sends") == 2)
            let sends = try await world.store.sends(of: campaign.id, limit: 10, offset: 0)
            #expect(sends.reversed().map(\.content) == contents)
            #expect(record?.launches == 3)
            #expect(
                try await world.store.experiment(of: campaign.id, conversions: [], at: Self.now)
                    == record
            )
        }
    }

    @Test("that cannot be read takes its launches along, and nothing else", .aboutFiles)
    func unreadable() async throws {
        try await Self.withWorld(.sqlite) { world in
            let campaign = try await world.campaign()
            let first = try await world.launch(campaign.launchContent("a", audience: .everyone))
            let other = try await world.launch(
                world.campaign(saying: "Coffee").launchContent("a", audience: .everyone)
            )
            try await world.store.write { database in
                try database.execute(
                    sql: "UPDATE launch_contents SET content = '{' WHERE campaign_id = ?",
                    arguments: [campaign.id.rawValue]
                )
            }
            await #expect(throws: StoreError.self) { try await world.store.send(first.id) }
            #expect(try await world.store.send(other.id) == other)
            let started = try await world.store.startPlanningDueSends(now: Self.now)
            #expect(started.map(\.id) == [other.id])
        }
    }
}
