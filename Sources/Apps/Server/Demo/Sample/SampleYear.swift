import Audience
import Campaigns
import Foundation
import Journeys
import Logging
import Model
import NoroshiWire
import Ports
import Synchronization

/// A year of a tea house with some thousand guests, written through the same services and rules that
/// send and count for real, under a clock that goes from one day to the next. Only the answers of push
/// services and what people do are made up; it is the same year each time.
struct SampleYear: Sendable {
    static let usualDays = 365
    static let usualPeople = 5_000
    static let day: TimeInterval = 86_400
    private static let batch = 2_000
    /// So many days before the end the sizes of segments are stored.
    private static let daysOfSizes = 60
    static let silent = Logger(label: "sample") { _ in SwiftLogNoOpLogHandler() }

    let store: any Store
    let workspace: WorkspaceID
    private let apps: [String: App]
    private let end: Date
    let days: Int
    private let people: [SamplePerson]
    let clock: SampleClock
    let audience: SegmentationService

    /// - Parameters:
    ///   - apps: The workspace's, by platform.
    ///   - end: The moment at which the year is over.
    init(
        _ store: any Store,
        _ workspace: WorkspaceID,
        apps: [String: App],
        people count: Int = Self.usualPeople,
        days: Int = Self.usualDays,
        until end: Date
    ) {
        self.store = store
        self.workspace = workspace
        self.apps = apps
        self.end = end
        self.days = days
        let clock = SampleClock()
        self.clock = clock
        audience = SegmentationService(store: store, now: clock.read, logger: Self.silent)
        var chance = SampleChance(seed: 5_000)
        people = (1...max(1, count)).map { SamplePerson($0, days: days, &chance) }
    }

    /// Whether it is written already.
    var isWritten: Bool {
        get async throws {
            guard let first = people.first else { return true }
            return try await store.profile(.external(first.id), in: workspace) != nil
        }
    }

    /// The devices that take pushes, by platform.
    var devices: [(platform: String, token: String)] {
        people.compactMap { person in
            guard person.hasPush, let token = person.token else { return nil }
            return (person.platform, token)
        }
    }

    /// - Parameter progress: Called with the number of days that are written.
    func write(_ progress: @Sendable (Int) -> Void = { _ in }) async throws {
        var chance = SampleChance(seed: 365)
        clock.set(start(of: 0))
        try await audience.rebuild()
        try await addContent()
        var survey = SampleSurvey(from: days * 3 / 5)
        let runner = JourneyRunner(
            store: store,
            audience: audience,
            now: clock.read,
            announce: { _, _ in },
            logger: Self.silent
        )
        for day in 0..<days {
            if day == survey.firstDay { try await add(survey) }
            let requests = requests(on: day, &survey, &chance)
            for first in stride(from: 0, to: requests.count, by: Self.batch) {
                let part = Array(requests[first..<min(first + Self.batch, requests.count)])
                try await ingest(part, now: start(of: day).addingTimeInterval(Self.day))
            }
            clock.set(start(of: day).addingTimeInterval(Self.day))
            if day % 30 == 20 { try await push(on: day, &chance) }
            try await settle(runner, &chance)
            if day >= days - Self.daysOfSizes { try await audience.saveSizes() }
            progress(day + 1)
        }
    }

    func start(of day: Int) -> Date {
        end.addingTimeInterval(Double(day - days) * Self.day)
    }

    var actor: Actor { .commandLine(account: "demo", workspace) }

    private func ingest(_ requests: [IngestRequest], now: Date) async throws {
        for outcome in try await store.ingest(requests, now: now).joined() {
            guard case .stored(except: []) = outcome else {
                throw Fault(description: "a part of the sample was refused: \(outcome)")
            }
        }
    }

    private struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    // MARK: What guests do

    private func requests(
        on day: Int,
        _ survey: inout SampleSurvey,
        _ chance: inout SampleChance
    ) -> [IngestRequest] {
        var requests: [(time: Date, request: IngestRequest)] = []
        for person in people where person.firstDay <= day {
            guard chance.happens(person.visits(on: day)), let app = apps[person.platform] else {
                continue
            }
            // Between eight and ten in the evening most are here.
            let hour = 7 + 15 * max(chance.share(), chance.share())
            let time = start(of: day).addingTimeInterval(hour * 3_600)
            requests.append(
                (
                    time,
                    IngestRequest(
                        workspace: workspace,
                        source: .device(
                            SDKDevice(
                                id: person.installation,
                                platform: person.platform,
                                appVersion: day > 240 ? "2.1" : "2.0"
                            ),
                            app: app.id
                        ),
                        items: visit(of: person, on: day, at: time, &survey, &chance)
                    )
                )
            )
        }
        return requests.sorted { $0.time < $1.time }.map(\.request)
    }

    private func visit(
        of person: SamplePerson,
        on day: Int,
        at time: Date,
        _ survey: inout SampleSurvey,
        _ chance: inout SampleChance
    ) -> [IngestItem] {
        var items: [IngestItem] = []
        var moment = time
        func add(_ content: IngestItem.Content) {
            items.append(
                IngestItem(
                    recordID: nil,
                    user: .external(person.id),
                    time: moment,
                    content: content
                )
            )
            moment += 20
        }
        add(.sessionStarted)
        if day == person.firstDay {
            add(.attributes(AttributeChanges(person.attributes)))
            add(.event(name: "signed_up", properties: ["from": .string(person.platform)]))
            if person.hasPush, let token = person.token {
                add(
                    .pushRegistered(
                        PushRegistration(
                            provider: person.platform == "ios" ? .apns : .fcm,
                            token: token,
                            environment: .sandbox,
                            authorization: .authorized,
                            registeredAt: moment
                        )
                    )
                )
            }
        }
        let teas = ["sencha", "hojicha", "matcha", "oolong", "mate"]
        let tea = chance.pick(teas)
        add(.event(name: "menu_viewed", properties: ["shelf": .string(tea)]))
        if chance.happens(0.45) {
            add(.event(name: "tea_viewed", properties: ["tea": .string(tea)]))
            let seen = survey.reports(of: person, on: day, &chance)
            for report in seen { add(.inAppMessage(report)) }
            if chance.happens(seen.contains { $0.kind == .button } ? 0.7 : 0.5) {
                add(.event(name: "added_to_cart", properties: ["tea": .string(tea)]))
                if chance.happens(0.58) {
                    let pieces = 1 + chance.number(below: 3)
                    add(
                        .purchase(
                            product: tea,
                            currency: "JPY",
                            price: Double(680 + 120 * chance.number(below: 8)),
                            quantity: pieces,
                            properties: [:]
                        )
                    )
                }
            }
        }
        if chance.happens(0.06) { add(.event(name: "table_reserved", properties: [:])) }
        moment += Double(chance.number(below: 240))
        add(.sessionEnded(duration: moment.timeIntervalSince(time)))
        return items
    }

    // MARK: What the tea house sends

    var planner: SendPlanner { SendPlanner(store: store, audience: audience, now: clock.read) }

    private func push(on day: Int, _ chance: inout SampleChance) async throws {
        let texts = [
            ("New on the shelf", "Oolong from Ali Shan has come in."),
            ("Open later", "From this week on until ten in the evening."),
            ("Thank you", "A year of tea with you. Come by, the first pot is free."),
        ]
        let (title, body) = texts[(day / 30) % texts.count]
        _ = try await store.createSend(
            SendContent(
                message: PushMessage(title: title, body: body),
                audience: .everyone,
                author: "Demo"
            ),
            in: workspace,
            scheduledAt: clock.read(),
            now: clock.read()
        )
    }

    /// Launches, plans and sends what is due, as scheduler and workers do.
    private func settle(_ runner: JourneyRunner, _ chance: inout SampleChance) async throws {
        let scheduler = CampaignScheduler(
            store: store,
            planner: planner,
            now: clock.read,
            announce: { _, _ in },
            logger: Self.silent
        )
        while true {
            var didWork = try await scheduler.step()
            if try await runner.step() { didWork = true }
            for send in try await store.startPlanningDueSends(now: clock.read()) {
                while try await !planner.planNextBatch(of: send, limit: Self.batch).isComplete {}
                didWork = true
            }
            if try await deliver(&chance) { didWork = true }
            if !didWork { break }
        }
        _ = try await store.markFinishedSends(now: clock.read())
    }

    private func deliver(_ chance: inout SampleChance) async throws -> Bool {
        let now = clock.read()
        // Where servers are listed, only those on the list claim.
        let server = try await store.servers().first
        let rows = try await store.claimDispatches(
            ClaimRequest(
                limit: Self.batch,
                owner: server?.id.uuidString ?? "sample",
                leaseEnd: now.addingTimeInterval(60),
                now: now
            )
        ).rows
        guard !rows.isEmpty else { return false }
        var updates: [DispatchUpdate] = []
        var reports: [IngestRequest] = []
        for row in rows {
            let isGone = chance.happens(0.012)
            updates.append(
                DispatchUpdate(
                    send: row.send,
                    device: row.device.id,
                    change: isGone
                        ? .rejected(reason: "Unregistered", retiresToken: true)
                        : .accepted(providerID: nil)
                )
            )
            guard !isGone else { continue }
            if let report = report(on: row, at: now, &chance) { reports.append(report) }
        }
        try await store.record(updates, now: now)
        try await ingest(reports, now: now.addingTimeInterval(Self.day / 2))
        return true
    }

    /// What a phone tells of a push; the second text is opened a little more often.
    private func report(
        on row: ClaimedDispatch,
        at now: Date,
        _ chance: inout SampleChance
    ) -> IngestRequest? {
        guard chance.happens(0.93) else { return nil }
        var kinds: [SDKRecord.PushInteraction.Kind] = [.received]
        if chance.happens((row.variant ?? 0) % 2 == 0 ? 0.085 : 0.065) { kinds.append(.opened) }
        let delay = 30 * pow(2, 10 * chance.share())
        return IngestRequest(
            workspace: workspace,
            source: .device(
                SDKDevice(id: row.device.installation, platform: row.device.platform),
                app: row.device.app
            ),
            items: kinds.enumerated().map { number, kind in
                IngestItem(
                    recordID: nil,
                    user: row.profile.externalID.map(UserReference.external)
                        ?? .anonymous(row.device.installation),
                    time: now.addingTimeInterval(number == 0 ? 2 : delay),
                    content: .pushInteraction(
                        SDKRecord.PushInteraction(
                            kind: kind,
                            dispatch: row.dispatch.uuid,
                            pushNumber: row.send.rawValue
                        )
                    )
                )
            }
        )
    }
}

/// A clock that is set by hand.
final class SampleClock: Sendable {
    private let time = Mutex(Date.distantPast)

    func set(_ date: Date) { time.withLock { $0 = date } }

    var read: @Sendable () -> Date { { self.time.withLock { $0 } } }
}
