import Delivery
import Foundation
import JSON
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
        /// The bundle identifier of the app in which it happened.
        var app: String?
    }

    /// The name of a launch by which chance draws; many people get one at the same moment.
    private struct Launch: Sendable {
        private var last: (source: RehearsalSource, moment: Date, name: String)?

        mutating func name(_ source: RehearsalSource, _ moment: Date) -> String {
            if let last, last.moment == moment, last.source == source { return last.name }
            let name = "\(source.kind)/\(source.name)/\(moment.milliseconds)"
            last = (source, moment, name)
            return name
        }
    }

    /// Somebody with phones.
    private struct Owner: Sendable {
        var user: RehearsedUser
        var devices: [RestoredUser.OwnDevice]

        func device(with app: String) -> Device? {
            devices.first { $0.app == app }?.device
        }
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
    /// What happens in apps, for which messages may be shown.
    private var occurrences: [Int: [RehearsedOccurrence]] = [:]
    private var newcomers: RehearsedNewcomers
    /// Those who have not signed up yet, the last one first.
    private var expected: [RehearsedNewcomers.Newcomer] = []
    private var owners: [String: Owner] = [:]
    /// Whose people these are, where several play.
    private var share: PeopleShare?
    private var launch = Launch()
    /// The identifiers of phones as text, by which chance draws for each push again.
    private var phones: [UUID: String] = [:]
    private(set) var signedUp = 0
    private(set) var openRate = 0.0
    private(set) var opened = 0
    private(set) var repeated = 0
    private(set) var count = 0

    init(_ settings: RehearsalSettings, of workspace: WorkspaceID, zone: TimeZone) {
        self.workspace = workspace
        self.settings = settings
        fallback = zone
        chance = RehearsalChance(seed: settings.seed)
        newcomers = RehearsedNewcomers(settings, chance)
        openRate = settings.openRate ?? 0
    }

    /// Reads who there is and what they did before.
    ///
    /// - Parameters:
    ///   - hasInAppMessages: Whether phones show any.
    ///   - check: Called between two pages, to end it by throwing.
    mutating func read(
        _ store: any Store,
        into log: RehearsalLog,
        hasInAppMessages: Bool,
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
                newcomers.note(user)
                if hasInAppMessages, !user.devices.isEmpty {
                    owners[name] = Owner(
                        user: RehearsedUser(user.profile),
                        devices: user.devices.sorted {
                            $0.device.installation.uuidString < $1.device.installation.uuidString
                        }
                    )
                }
            }
            log.add(people)
        }
        if settings.repeatsHistory { try await readEvents(store, check) }
        if settings.openRate == nil { try await readOpens(store, check) }
        expected = newcomers.all().reversed()
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

    /// Keeps those of a share; the others are played elsewhere.
    ///
    /// - Parameter names: Of the people who are in it.
    mutating func keepOnly(_ share: PeopleShare, _ names: Set<String>) {
        self.share = share
        order.removeAll { !names.contains($0) }
    }

    /// Whether somebody who signs up is one of these.
    func includes(_ newcomer: RehearsedNewcomers.Newcomer) -> Bool {
        share.map { newcomer.number % $0.count == $0.number } ?? true
    }

    // MARK: Time

    /// When the next phones report; `nil` if nobody does anything more.
    mutating func nextReport(after now: Date) -> Date? {
        while let draw = nextDraw, now >= draw {
            repeatWeek(nextWeek)
            nextWeek += 1
        }
        let report = requests.keys.min().map { Self.time(of: $0) }
        let signUp = (expected.last?.time).map { Self.time(of: Self.slot($0)) }
        // Also where nothing else is due before the next week.
        let draw = order.isEmpty ? nil : nextDraw
        return [report, signUp, draw].compactMap(\.self).min()
    }

    /// When the next week is drawn, a day before it begins; `nil` if there is none.
    private var nextDraw: Date? {
        guard nextWeek * 7 < settings.days else { return nil }
        return settings.from.addingTimeInterval(Double(nextWeek * 7 - 1) * 86_400)
    }

    /// Who signs up until now.
    mutating func signUps(until now: Date) -> [RehearsedNewcomers.Newcomer] {
        var found: [RehearsedNewcomers.Newcomer] = []
        while let next = expected.last, Self.time(of: Self.slot(next.time)) <= now {
            expected.removeLast()
            found.append(next)
        }
        return found
    }

    /// What phones and servers report until now.
    mutating func reports(until now: Date) -> [IngestRequest] { Self.due(&requests, now) }

    /// What has happened in apps until now, in the order of time.
    mutating func occurrences(until now: Date) -> [RehearsedOccurrence] {
        Self.due(&occurrences, now).sorted {
            ($0.time, $0.user.name) < ($1.time, $1.user.name)
        }
    }

    private static func due<Element>(_ slots: inout [Int: [Element]], _ now: Date) -> [Element] {
        let due = slots.keys.filter { time(of: $0) <= now }
        return due.sorted().flatMap { slots.removeValue(forKey: $0) ?? [] }
    }

    private static func slot(_ time: Date) -> Int {
        Int((time.timeIntervalSince1970 / report).rounded(.up))
    }

    private static func time(of slot: Int) -> Date {
        Date(timeIntervalSince1970: Double(slot) * report)
    }

    private mutating func add(_ request: IngestRequest, at time: Date) {
        guard time < settings.end else { return }
        requests[Self.slot(time), default: []].append(request)
    }

    private mutating func happens(
        _ what: InAppMessageSelector.Occurrence,
        to owner: Owner?,
        on device: Device?,
        at time: Date
    ) {
        guard let owner, let device, time < settings.end else { return }
        occurrences[Self.slot(time), default: []].append(
            RehearsedOccurrence(user: owner.user, device: device, time: time, what: what)
        )
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
                let item = item(event, of: past.user, at: time)
                add(IngestRequest(workspace: workspace, source: .api, items: [item]), at: time)
                repeated += 1
                noticed(event, owners[user], at: time)
            }
        }
    }

    /// What happens in an app may show a message there.
    private mutating func noticed(_ event: Event, _ owner: Owner?, at time: Date) {
        guard let owner, let app = event.app, let device = owner.device(with: app) else { return }
        let properties = (try? JSONReader.read(Array(event.properties.text.utf8)))?.objectValue
        let what: InAppMessageSelector.Occurrence
        switch event.name {
        case "$session_start": what = .sessionStart
        case "$purchase":
            let product = properties?["product_id"]?.stringValue ?? ""
            what = .purchase(product: product, properties: properties ?? [:])
        case let name where name.hasPrefix("$"): return
        case let name: what = .event(name: name, properties: properties ?? [:])
        }
        happens(what, to: owner, on: device, at: time)
    }

    /// Somebody has signed up, and does from then on what their model did after that.
    mutating func joined(
        _ newcomer: RehearsedNewcomers.Newcomer,
        _ profile: Profile,
        _ device: Device?
    ) {
        signedUp += 1
        zones[newcomer.name] = profile.standard[.timeZone]?.stringValue
            .flatMap(TimeZone.init(identifier:))
        var owner: Owner?
        if let device, let app = newcomer.model.device?.app {
            owner = Owner(
                user: RehearsedUser(profile),
                devices: [RestoredUser.OwnDevice(device, app: app)]
            )
            happens(.sessionStart, to: owner, on: device, at: newcomer.time)
        }
        owners[newcomer.name] = owner
        guard let model = past[newcomer.model.name] else { return }
        let zone = zones[newcomer.model.name] ?? fallback
        for event in model.weeks.sorted(by: { $0.key > $1.key }).flatMap(\.value) {
            let then = WallClock.instant(event.day, event.time, in: zone)
                .addingTimeInterval(event.seconds)
            let delay = then.timeIntervalSince(newcomer.model.createdAt)
            guard delay > 0 else { continue }
            let time = newcomer.time.addingTimeInterval(delay)
            guard time < settings.end else { continue }
            let item = item(event, of: .external(newcomer.name), at: time)
            add(IngestRequest(workspace: workspace, source: .api, items: [item]), at: time)
            noticed(event, owner, at: time)
        }
    }

    private func item(_ event: Event, of user: UserReference, at time: Date) -> IngestItem {
        var item = IngestItem(
            recordID: nil,
            user: user,
            updatesExistingOnly: true,
            time: time,
            content: event.name == "$session_start"
                ? .sessionStarted
                : .storedEvent(name: event.name, properties: event.properties)
        )
        item.app = event.app
        return item
    }

    /// Whether somebody opens a push is drawn by person and message; half of those who do have done so
    /// within a quarter of an hour.
    mutating func got(_ dispatch: ClaimedDispatch, at now: Date, of source: RehearsalSource) {
        guard openRate > 0 else { return }
        let what = launch.name(source, now)
        let name = RehearsalLog.name(of: dispatch.profile)
        let device = dispatch.device
        let phone = phones[device.installation] ?? device.installation.uuidString
        phones[device.installation] = phone
        guard chance.share("open", name, phone, what) < openRate else { return }
        let delay = 30 * pow(2, 10 * chance.share("delay", name, phone, what))
        let time = now.addingTimeInterval(delay)
        let open = SDKRecord.PushInteraction(
            kind: .opened,
            dispatch: dispatch.dispatch.uuid,
            pushNumber: dispatch.send.rawValue
        )
        add(
            RehearsedDevice.request(
                from: device,
                of: dispatch.profile.externalID,
                in: workspace,
                [.pushInteraction(open), .sessionStarted],
                at: time
            ),
            at: time
        )
        if let owner = owners[name] {
            happens(.pushOpen, to: owner, on: device, at: time)
            happens(.sessionStart, to: owner, on: device, at: time)
        }
        opened += 1
    }
}
