import Delivery
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling

/// What people do in a rehearsal: each repeats weeks from before it, and opens some of the pushes.
///
/// Phones report every five minutes, so that many people's news are one transaction.
struct RehearsedPeople {
    private struct Past: Sendable {
        var user: UserReference
        /// By week before the rehearsal: 0 is the last one.
        var weeks: [Int: [Event]] = [:]
        /// The longest ago of them.
        var oldest = 0

        mutating func add(_ event: Event, in week: Int) {
            weeks[week, default: []].append(event)
            oldest = max(oldest, week)
        }
    }

    private struct Event: Sendable {
        var day: CalendarDay
        var time: TimeOfDay
        var seconds: TimeInterval
        var name: String
        var properties: EventProperties
        var app: String?
    }

    /// How many weeks are drawn from.
    private static let weeks = 4
    private static let report: TimeInterval = 300

    private let workspace: WorkspaceID
    private let settings: RehearsalSettings
    private let chance: RehearsalChance
    private let fallback: TimeZone
    /// By the names of people, which are the same wherever the same file is rehearsed.
    private var zones: [String: TimeZone] = [:]
    private var past: [String: Past] = [:]
    /// Those of `past`, in an order that is the same each time.
    private var order: [String] = []
    private var nextWeek = 0
    private var requests: [Int: [IngestRequest]] = [:]
    private(set) var openRate = 0.0
    private(set) var opened = 0
    private(set) var repeated = 0
    private(set) var count = 0

    init(_ settings: RehearsalSettings, of workspace: WorkspaceID, zone: TimeZone) {
        self.workspace = workspace
        self.settings = settings
        fallback = zone
        chance = RehearsalChance(seed: settings.seed)
        openRate = settings.openRate ?? 0
    }

    /// Reads who there is and what they did before.
    ///
    /// - Parameter check: Called between two pages, to end it by throwing.
    mutating func read(
        _ store: any Store,
        into log: RehearsalLog,
        _ check: () throws -> Void
    ) async throws {
        var last: Int64 = 0
        while true {
            try check()
            let page = try await store.exportUsers(in: workspace, after: last, limit: 5_000)
            guard let end = page.last?.id else { break }
            last = end
            count += page.count
            var people: [ProfileID: RehearsalLog.Person] = [:]
            for (id, user) in page {
                let locale = user.devices.first?.device.locale
                let zone =
                    (user.profile.standard[.timeZone]?.stringValue
                    ?? user.devices.first?.device.timeZone).flatMap(TimeZone.init(identifier:))
                let name = RehearsalLog.name(of: user.profile)
                people[ProfileID(id)] = RehearsalLog.Person(
                    name: name,
                    language: RehearsalLog.language(of: user.profile, locale)
                )
                zones[name] = zone
            }
            log.add(people)
        }
        if settings.repeatsHistory { try await readEvents(store, check) }
        if settings.openRate == nil { try await readOpens(store, check) }
    }

    private mutating func readEvents(
        _ store: any Store,
        _ check: () throws -> Void
    ) async throws {
        let start = settings.from.addingTimeInterval(-Double(Self.weeks * 7) * 86_400)
        var last: Int64 = 0
        while true {
            try check()
            let page = try await store.exportEvents(in: workspace, after: last, limit: 20_000)
            guard let end = page.last?.id else { break }
            last = end
            for (_, event) in page where event.time >= start && event.time < settings.from {
                let name = event.externalID ?? event.userID.uuidString.lowercased()
                let zone = zones[name] ?? fallback
                let reading = WallClock.reading(of: event.time, in: zone)
                let today = WallClock.day(of: settings.from, in: zone)
                let week = (today.number - 1 - reading.day.number) / 7
                guard reading.day < today, week < Self.weeks else { continue }
                let user: UserReference =
                    event.externalID.map(UserReference.external) ?? .profile(event.userID)
                let found = Event(
                    day: reading.day,
                    time: reading.time,
                    seconds: reading.seconds,
                    name: event.name,
                    properties: event.properties,
                    app: event.app
                )
                past[name, default: Past(user: user)].add(found, in: week)
            }
        }
        order = past.keys.sorted()
    }

    private mutating func readOpens(
        _ store: any Store,
        _ check: () throws -> Void
    ) async throws {
        let start = settings.from.addingTimeInterval(-Double(Self.weeks * 7) * 86_400)
        var last: Int64 = 0
        var (sent, opened) = (0, 0)
        while true {
            try check()
            let page = try await store.exportSends(in: workspace, after: last, limit: 1_000)
            guard let end = page.last?.id else { break }
            last = end
            for (_, send) in page {
                guard let time = send.startedAt, time >= start, time < settings.from else {
                    continue
                }
                sent += send.accepted
                opened += send.directOpens
            }
        }
        openRate = sent > 0 ? Double(opened) / Double(sent) : 0
    }

    // MARK: Time

    /// When the next phones report; `nil` if nobody does anything more.
    mutating func nextReport(after now: Date) -> Date? {
        while nextWeek * 7 < settings.days,
            now >= settings.from.addingTimeInterval(Double(nextWeek * 7 - 1) * 86_400)
        {
            repeatWeek(nextWeek)
            nextWeek += 1
        }
        return requests.keys.min().map { Date(timeIntervalSince1970: Double($0) * Self.report) }
    }

    /// What phones and servers report until now.
    mutating func reports(until now: Date) -> [IngestRequest] {
        let due = requests.keys.filter { Double($0) * Self.report <= now.timeIntervalSince1970 }
        return due.sorted().flatMap { requests.removeValue(forKey: $0) ?? [] }
    }

    private mutating func add(_ request: IngestRequest, at time: Date) {
        guard time < settings.end else { return }
        let slot = Int((time.timeIntervalSince1970 / Self.report).rounded(.up))
        requests[slot, default: []].append(request)
    }

    // MARK: What they do

    private mutating func repeatWeek(_ week: Int) {
        for user in order {
            guard let past = past[user] else { continue }
            let choices = past.oldest + 1
            let drawn = Int(chance.share("week", user, "\(week)") * Double(choices))
            let zone = zones[user] ?? fallback
            for event in past.weeks[drawn] ?? [] {
                let time = WallClock.instant(
                    event.day.adding(days: (drawn + 1 + week) * 7),
                    event.time,
                    in: zone
                ).addingTimeInterval(event.seconds)
                guard time >= settings.from else { continue }
                var item = IngestItem(
                    recordID: nil,
                    user: past.user,
                    updatesExistingOnly: true,
                    time: time,
                    content: event.name == "$session_start"
                        ? .sessionStarted
                        : .storedEvent(name: event.name, properties: event.properties)
                )
                item.app = event.app
                add(IngestRequest(workspace: workspace, source: .api, items: [item]), at: time)
                repeated += 1
            }
        }
    }

    /// Whether somebody opens a push is drawn by person and message; half of those who do have done so
    /// within a quarter of an hour.
    mutating func got(_ dispatch: ClaimedDispatch, at now: Date, of source: RehearsalSource) {
        guard openRate > 0 else { return }
        let what = "\(source.kind)/\(source.name)/\(now.milliseconds)"
        let name = RehearsalLog.name(of: dispatch.profile)
        let device = dispatch.device
        let phone = device.installation.uuidString
        guard chance.share("open", name, phone, what) < openRate else { return }
        let delay = 30 * pow(2, 10 * chance.share("delay", name, phone, what))
        let time = now.addingTimeInterval(delay)
        let user: UserReference =
            dispatch.profile.externalID.map(UserReference.external)
            ?? .anonymous(device.installation)
        let open = SDKRecord.PushInteraction(
            kind: .opened,
            dispatch: dispatch.dispatch.uuid,
            pushNumber: dispatch.send.rawValue
        )
        let contents: [IngestItem.Content] = [.pushInteraction(open), .sessionStarted]
        add(
            IngestRequest(
                workspace: workspace,
                source: .device(
                    SDKDevice(
                        id: device.installation,
                        platform: device.platform,
                        model: device.model,
                        osVersion: device.osVersion,
                        appVersion: device.appVersion,
                        sdkVersion: device.sdkVersion,
                        locale: device.locale,
                        timeZone: device.timeZone
                    ),
                    app: device.app
                ),
                items: contents.map {
                    IngestItem(recordID: nil, user: user, time: time, content: $0)
                }
            ),
            at: time
        )
        opened += 1
    }
}
