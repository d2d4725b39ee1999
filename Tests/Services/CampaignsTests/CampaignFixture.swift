import Campaigns
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

/// A workspace with campaigns over the real store, a clock that is set by hand, and a provider
/// that takes every push.
final class CampaignFixture: Sendable {
    let store: any Store
    let workspace: WorkspaceID
    let app: App
    /// The database's file.
    let path: String
    let audience = ListedAudience()
    private let time: Mutex<Date>
    private let contents = Mutex<[SendID: SendContent]>([:])
    /// The last byte of the newest campaign's id.
    private let newest = Mutex<UInt8>(0)

    private init(store: any Store, workspace: WorkspaceID, app: App, path: String, start: Date) {
        self.store = store
        self.workspace = workspace
        self.app = app
        self.path = path
        time = Mutex(start)
    }

    /// Runs `body` in a world whose clock shows `start`; the workspace's zone is Asia/Tokyo.
    static func run(
        at start: String,
        _ body: (CampaignFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-campaigns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        let date = try #require(Timestamp.parse(start))
        try await body(
            CampaignFixture(
                store: store,
                workspace: fixture.workspace,
                app: fixture.app,
                path: path,
                start: date
            )
        )
    }

    var now: Date { time.withLock { $0 } }

    func set(_ text: String) throws {
        let date = try #require(Timestamp.parse(text))
        time.withLock { $0 = date }
    }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }

    var planner: SendPlanner { SendPlanner(store: store, audience: audience, now: { self.now }) }

    var actor: Actor { .commandLine(account: "mio", workspace) }

    var service: CampaignService {
        CampaignService(
            store: store,
            planner: planner,
            now: { self.now },
            makeID: { self.nextID() }
        ) { _, _ in }
    }

    /// The same ids in each run, because they decide who is in which group of a campaign.
    private func nextID() -> UUID {
        let number = newest.withLock { number in
            number += 1
            return number
        }
        return UUID(uuid: (0xca, 0x3b, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, number))
    }

    /// A new one each time, as after a restart: nothing is remembered but rows.
    var scheduler: CampaignScheduler { scheduler(CampaignScheduler.Settings()) }

    func scheduler(_ settings: CampaignScheduler.Settings) -> CampaignScheduler {
        CampaignScheduler(
            store: store,
            planner: planner,
            settings: settings,
            now: { self.now },
            announce: { _, _ in },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    // MARK: Users

    /// Registers a user with a device, perhaps with a zone.
    @discardableResult
    func user(_ name: String, zone: String? = nil, platform: String = "ios") async throws
        -> ProfileID
    {
        var items = [
            IngestItem(
                recordID: UUID(),
                user: .external(name),
                time: now,
                content: .pushRegistered(
                    PushRegistration(
                        provider: .apns,
                        token: "token-\(name)",
                        environment: .sandbox,
                        authorization: .authorized,
                        registeredAt: now
                    )
                )
            )
        ]
        if let zone {
            items.append(
                IngestItem(
                    recordID: nil,
                    user: .external(name),
                    time: now,
                    content: .attributes(AttributeChanges(["time_zone": .string(zone)]))
                )
            )
        }
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .device(
                        SDKDevice(id: UUID(), platform: platform),
                        app: app.id
                    ),
                    items: items
                )
            ],
            now: now
        )
        let profile = try await store.profile(.external(name), in: workspace)
        return try #require(profile).id
    }

    /// Has another user log in on a device.
    func take(_ device: Device, as name: String) async throws -> ProfileID {
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .device(
                        SDKDevice(id: device.installation, platform: device.platform),
                        app: app.id
                    ),
                    items: [
                        IngestItem(
                            recordID: UUID(),
                            user: .external(name),
                            time: now,
                            content: .sessionStarted
                        )
                    ]
                )
            ],
            now: now
        )
        return try #require(try await store.profile(.external(name), in: workspace)).id
    }

    func users(_ count: Int) async throws -> [ProfileID] {
        var users: [ProfileID] = []
        for number in 0..<count { users.append(try await user("user-\(number)")) }
        return users
    }

    /// Stores an event, now or at another time.
    func event(
        _ name: String,
        by user: String,
        _ properties: [String: JSONValue] = [:],
        at date: Date? = nil
    ) async throws {
        _ = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .api,
                    items: [
                        IngestItem(
                            recordID: nil,
                            user: .external(user),
                            time: date ?? now,
                            content: .event(name: name, properties: EventProperties(properties))
                        )
                    ]
                )
            ],
            now: now
        )
    }

    // MARK: Campaigns

    static func variant(_ name: String, weight: Int = 1) -> CampaignVariant {
        CampaignVariant(
            apiID: UUID(),
            name: name,
            weight: weight,
            message: CampaignMessage(PlatformMessage(PushMessage(body: "\(name)!")))
        )
    }

    static func content(
        _ delivery: CampaignDelivery,
        variants: [String] = ["A"],
        _ change: (inout CampaignContent) -> Void = { _ in }
    ) -> CampaignContent {
        var content = CampaignContent(
            name: "Morning tea",
            delivery: delivery,
            variants: variants.map { variant($0) }
        )
        change(&content)
        return content
    }

    func activate(_ content: CampaignContent) async throws -> Campaign {
        let campaign = try await service.create(content, by: actor)
        try await service.take(.activate, with: campaign, by: actor)
        return try await read(campaign)
    }

    func read(_ campaign: Campaign) async throws -> Campaign {
        try #require(try await store.campaign(campaign.id))
    }

    /// Gives the workspace a control group of half of the users, one of them and others not.
    @discardableResult
    func keepControlGroup(
        with user: ProfileID,
        without others: [ProfileID] = []
    ) async throws -> ControlGroup {
        let groups = (0...UInt8.max).lazy.map { number in
            ControlGroup(
                share: 50,
                seed: UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)),
                since: self.now
            )
        }
        let group = try #require(
            groups.first { $0.contains(user) && !others.contains(where: $0.contains) }
        )
        try await store.saveLimits(MessagingLimits(controlGroup: group), of: workspace)
        return group
    }

    // MARK: Running

    /// Does all that is due now: launches, plans and sends, and returns what was sent.
    @discardableResult
    func settle(
        _ answer: DispatchUpdate.Change = .accepted(providerID: nil)
    ) async throws -> [Sent] {
        var sent: [Sent] = []
        while true {
            var didWork = try await scheduler.step()
            for send in try await store.startPlanningDueSends(now: now) {
                _ = try await planner.planNextBatch(of: send, limit: 3)
                didWork = true
            }
            let delivered = try await deliver(answer)
            sent += delivered
            if !didWork, delivered.isEmpty { break }
        }
        _ = try await scheduler.step()
        return sent
    }

    /// Sends what is planned and due now; the provider gives each message this answer.
    private func deliver(_ answer: DispatchUpdate.Change) async throws -> [Sent] {
        let claimed = try await store.claimDispatches(
            ClaimRequest(
                limit: 100,
                owner: "test",
                leaseEnd: now.addingTimeInterval(60),
                now: now
            )
        ).rows
        try await store.record(
            claimed.map {
                DispatchUpdate(
                    send: $0.send,
                    device: $0.device.id,
                    change: answer
                )
            },
            now: now
        )
        var sent: [Sent] = []
        for push in claimed {
            let content = try await content(of: push.send)
            let message = content.message(
                for: MessagePlatform(device: push.device.platform),
                variant: push.variant
            )
            sent.append(
                Sent(
                    user: push.profile.externalID ?? "",
                    text: message.message.body,
                    send: push.send,
                    time: now,
                    properties: push.properties
                )
            )
        }
        _ = try await store.markFinishedSends(now: now)
        return sent
    }

    /// Of a send that has begun, which no longer changes.
    private func content(of send: SendID) async throws -> SendContent {
        if let known = contents.withLock({ $0[send] }) { return known }
        let content = try #require(try await store.send(send)).content
        contents.withLock { $0[send] = content }
        return content
    }

    /// Removes what is left of messages that have been over for 90 days.
    ///
    /// - Returns: Whether it was the last step.
    func removeMessages(lookingAt count: Int) async throws -> Bool {
        try await store.removeRows(
            .dispatches,
            in: workspace,
            olderThan: now.addingTimeInterval(-90 * 86_400),
            lookingAt: count,
            now: now
        ).isLast
    }

    /// Lets time pass until `end`, from one moment at which something is due to the next. Where no
    /// campaign is, the scheduler would find nothing and is not asked.
    func live(until end: String) async throws -> [Sent] {
        let end = try #require(Timestamp.parse(end))
        var sent: [Sent] = []
        while true {
            sent += try await settle()
            let active = try await store.campaigns(
                in: workspace,
                matching: CampaignQuery(states: [.active], limit: 100)
            ).campaigns
            let nextLaunch =
                active.compactMap(\.nextDueAt).filter { $0 > now }.min() ?? .distantFuture
            while let due = try await store.nextDispatchDue(), due < min(nextLaunch, end) {
                time.withLock { $0 = max($0, due) }
                sent += try await deliver(.accepted(providerID: nil))
            }
            guard nextLaunch < end else { break }
            time.withLock { $0 = max($0, nextLaunch) }
        }
        time.withLock { $0 = end }
        sent += try await settle()
        return sent
    }

    struct Sent: Sendable, Hashable {
        var user: String
        var text: String
        var send: SendID
        var time: Date
        var properties: MessageProperties
    }
}

/// An audience that is a list, as long as nothing is wrong with it.
final class ListedAudience: AudienceSource {
    private let members = Mutex<Set<ProfileID>>([])
    private let problem = Mutex<AudienceError?>(nil)

    func fail(_ problem: AudienceError?) {
        self.problem.withLock { $0 = problem }
    }

    func set(_ users: some Sequence<ProfileID>) {
        members.withLock { $0 = Set(users) }
    }

    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        if let problem = problem.withLock({ $0 }) { throw problem }
        let found = members.withLock { $0 }
            .filter { user in cursor.map { user > $0 } ?? true }
        return Array(found.sorted().prefix(limit))
    }

    func count(
        in workspace: WorkspaceID,
        matching query: SegmentQuery
    ) async throws -> AudienceCount {
        let users = members.withLock { $0.count }
        return AudienceCount(users: users, reachable: users)
    }
}
