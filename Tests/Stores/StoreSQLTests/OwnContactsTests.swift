import Foundation
import Model
import Ports
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

/// What of a user's history planning reads, by the launches of one campaign or by all of it.
@Suite("Earlier messages of a campaign to its users")
struct OwnContactsTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let day: TimeInterval = 86_400

    private struct World {
        let store: SQLStore
        let workspace: WorkspaceID
        let users: [ProfileID]
        let campaign = CampaignID(7)

        /// A launch of a campaign: a message to every other user, the control group to the others.
        func launch(
            _ campaign: CampaignID,
            dueAt: Date,
            finishedAt: Date?,
            _ states: [DispatchState],
            hasControlGroup: Bool = true
        ) async throws {
            let send = try await store.createSend(
                SendContent(message: PushMessage(body: "Tea"), audience: .everyone),
                in: workspace,
                scheduledAt: dueAt,
                now: dueAt
            )
            let users = users
            try await store.write { database in
                try database.execute(
                    sql: """
                        UPDATE sends SET campaign_id = ?, state = ?, finished_at = ? WHERE id = ?
                        """,
                    arguments: [
                        campaign.rawValue, finishedAt == nil ? "paused" : "finished",
                        finishedAt?.milliseconds, send.id.rawValue,
                    ]
                )
                for (number, user) in users.enumerated()
                where hasControlGroup || number % 2 == 0 {
                    try database.execute(
                        sql: """
                            INSERT INTO campaign_entries (profile_id, send_id, campaign_id, variant,
                                is_control, counts_for_caps, due_at) VALUES (?, ?, ?, 0, ?, 1, ?)
                            """,
                        arguments: [
                            user.rawValue, send.id.rawValue, campaign.rawValue,
                            number % 2 == 0 ? 0 : 1, dueAt.milliseconds,
                        ]
                    )
                    guard number % 2 == 0 else { continue }
                    try database.execute(
                        sql: """
                            INSERT INTO dispatches (send_id, device_id, profile_id, state, due_at,
                                updated_at) VALUES (?, ?, ?, ?, ?, ?)
                            """,
                        arguments: [
                            send.id.rawValue, 1_000 + number, user.rawValue,
                            states[number / 2 % states.count].rawValue, dueAt.milliseconds,
                            dueAt.milliseconds,
                        ]
                    )
                }
            }
        }

        /// The times of the contacts since a moment, by user.
        func contacts(since own: Date, others start: Date) async throws -> [[CampaignExposure]] {
            try await store.recipients(
                users,
                in: workspace,
                reaching: DeviceTargeting(),
                campaign: campaign,
                ownContactsSince: own,
                contactsSince: start,
                before: nil
            ).map(\.contacts)
        }
    }

    private static func withWorld(
        _ kind: StoreKind,
        _ body: (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-contacts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test").path, on: kind)
        let workspace = try await store.createWorkspace(
            name: "Tea",
            timeZone: "UTC",
            now: now.addingTimeInterval(-100 * day)
        )
        let items = (0..<6).map { number in
            IngestItem(
                recordID: nil,
                user: .external("user-\(number)"),
                time: now,
                content: .event(name: "visit", properties: [:])
            )
        }
        let request = IngestRequest(workspace: workspace, source: .api, items: items)
        _ = try await store.ingest([request], now: now)
        let users = try await store.profiles(in: workspace, after: nil, limit: 10)
        try await body(World(store: store, workspace: workspace, users: users))
    }

    @Test(
        "are found by its launches as in all of the history, be they few or many",
        arguments: StoreKind.available,
        [true, false]
    )
    func same(kind: StoreKind, hasControlGroup: Bool) async throws {
        try await Self.withWorld(kind) { world in
            let states: [DispatchState] = [.accepted, .rejected, .queued]
            // Nearly always a day's: of some days none, and of others, later, many.
            for count in 0..<40 {
                let age = Double(60 - count * 3 / 2) * Self.day
                let dueAt = Self.now.addingTimeInterval(-age)
                // One was paused for weeks and is over lately, another one is not over yet.
                let end: Date? =
                    switch count {
                    case 3: Self.now.addingTimeInterval(-3_600)
                    case 5: nil
                    default: dueAt.addingTimeInterval(7_200)
                    }
                try await world.launch(
                    world.campaign,
                    dueAt: dueAt,
                    finishedAt: end,
                    states,
                    hasControlGroup: hasControlGroup
                )
                try await world.launch(CampaignID(8), dueAt: dueAt, finishedAt: end, states)
            }
            var counts: [Int] = []
            for days in [1, 4, 9, 20, 50, 90] {
                let own = Self.now.addingTimeInterval(-Double(days) * Self.day)
                let found = try await world.contacts(since: own, others: .distantFuture)
                // Nobody has messages of others then, but their history is read.
                let all = try await world.contacts(
                    since: own,
                    others: Self.now.addingTimeInterval(90 * Self.day)
                )
                #expect(found == all)
                counts.append(found.reduce(0) { $0 + $1.count })
            }
            #expect(counts.first == 0 && counts.last ?? 0 > (hasControlGroup ? 150 : 60))
            #expect(counts == counts.sorted() && Set(counts).count == counts.count)
        }
    }

    @Test("are not looked for where all launches are over long ago", arguments: StoreKind.available)
    func none(kind: StoreKind) async throws {
        try await Self.withWorld(kind) { world in
            let long = Self.now.addingTimeInterval(-50 * Self.day)
            try await world.launch(world.campaign, dueAt: long, finishedAt: long, [.accepted])
            let own = Self.now.addingTimeInterval(-3 * Self.day)
            let found = try await world.contacts(since: own, others: .distantFuture)
            #expect(found.allSatisfy(\.isEmpty) && found.count == world.users.count)
        }
    }
}
