import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// Sessions, events and purchases at the edges of days, in two workspaces of the same users and
/// products, counted by the store in each of its ways, and here from what was told to it.
@Suite("Series of random facts")
struct RandomSeriesTests {
    @Test(
        "count each fact once, in its period, its workspace, its app and for its user",
        arguments: 1...4
    )
    func series(seed: UInt64) async throws {
        try await withSite(seed) { site in
            for place in site.places {
                try await checkSeries(site, place)
                try await checkActiveUsers(site, place)
                try await checkNewUsers(site, place)
                try await checkPurchases(site, place)
            }
            // Counted anew, and with days that were taken away and came back.
            let place = site.places[0]
            try await site.store.deleteDailyCounts(in: place.workspace)
            try await site.store.refreshDailyCounts(in: place.workspace, days: site.calendar)
            try await checkSeries(site, place)
            try await checkActiveUsers(site, place)
        }
    }

    @Test("of an app cannot be had for a time in which an event does not say its app")
    func gaps() async throws {
        try await withSite(9) { site in
            let place = site.places[0]
            let last = site.days[3].addingTimeInterval(-0.001)
            for time in [site.days[1], last] {
                try await site.ingest(nil, "ada", .sessionStarted, at: time, in: place)
            }
            try await site.forgetApps(of: "House 0", at: [site.days[1], last])
            // The other workspace says of each of its events where it was.
            try await checkActiveUsers(site, site.places[1])
            let filter = SeriesFilter(apps: [place.apps[0]])
            let gap = SeriesGapError(since: site.days[3])
            func active(_ days: ArraySlice<Date>, window: Int = 1) async throws {
                _ = try await site.store.activeUsers(
                    in: place.workspace,
                    days: Array(days),
                    window: window,
                    calendar: site.calendar,
                    filter: filter
                )
            }
            func counts(_ series: CountSeries, _ boundaries: [Date]) async throws {
                _ = try await site.store.counts(
                    of: series,
                    in: place.workspace,
                    between: boundaries,
                    filter: filter
                )
            }
            try await active(site.days[3...])
            await #expect(throws: gap) { try await active(site.days[3...], window: 2) }
            await #expect(throws: gap) { try await active(site.days[2...]) }
            let second = SeriesGapError(since: Date(milliseconds: site.days[1].milliseconds + 1))
            await #expect(throws: second) {
                try await active(site.days[...2])
            }
            try await counts(.sessions, [site.days[3], site.days[4]])
            try await counts(.sessions, [site.days[2], last])
            await #expect(throws: gap) { try await counts(.sessions, [last, site.days[4]]) }
            try await counts(.events("viewed"), [last, site.days[4]])
            // Who is new to an app is not known before all that came earlier is.
            await #expect(throws: gap) {
                _ = try await site.store.newUsers(
                    in: place.workspace,
                    between: [site.days[4], site.days[5]],
                    filter: filter
                )
            }
            // Without an app nothing has to be said.
            _ = try await site.store.activeUsers(
                in: place.workspace,
                days: site.days,
                window: 1,
                calendar: site.calendar,
                filter: SeriesFilter(users: [])
            )
        }
    }

    // MARK: The figures

    private func checkSeries(_ site: RandomSeriesSite, _ place: RandomSeriesSite.Place) async throws
    {
        let middle = site.days.dropLast().flatMap { [$0, $0.addingTimeInterval(7_200)] }
        for series in RandomSeriesSite.allSeries {
            let daily = try await site.store.dailyCounts(
                of: series,
                in: place.workspace,
                between: site.days
            )
            #expect(daily == site.counts(series, place, site.days), "\(series) of days")
            for boundaries in [site.days, middle, [site.days[2], site.days[9]]] {
                let expected = site.counts(series, place, boundaries)
                #expect(
                    try await site.store.counts(
                        of: series,
                        in: place.workspace,
                        between: boundaries
                    ) == expected,
                    "\(series)"
                )
                for filter in place.filters {
                    let found = try await site.store.counts(
                        of: series,
                        in: place.workspace,
                        between: boundaries,
                        filter: filter
                    )
                    #expect(
                        found == site.counts(series, place, boundaries, filter),
                        "\(series) \(filter)"
                    )
                }
            }
        }
    }

    private func checkActiveUsers(
        _ site: RandomSeriesSite,
        _ place: RandomSeriesSite.Place
    ) async throws {
        for window in [1, 2, 7] {
            // The second time from what is kept, and beyond it.
            for days in [site.days[4...9], site.days[4...9], site.days[...], site.days[2...]] {
                let days = Array(days)
                #expect(
                    try await site.store.activeUsers(
                        in: place.workspace,
                        days: days,
                        window: window,
                        calendar: site.calendar
                    ) == site.activeUsers(place, days, window, SeriesFilter()),
                    "within \(window) days"
                )
                for filter in place.filters {
                    #expect(
                        try await site.store.activeUsers(
                            in: place.workspace,
                            days: days,
                            window: window,
                            calendar: site.calendar,
                            filter: filter
                        ) == site.activeUsers(place, days, window, filter),
                        "within \(window) days, \(filter)"
                    )
                }
            }
        }
    }

    private func checkNewUsers(
        _ site: RandomSeriesSite,
        _ place: RandomSeriesSite.Place
    ) async throws {
        for boundaries in [site.days, Array(site.days[3...7])] {
            #expect(
                try await site.store.newUsers(in: place.workspace, between: boundaries)
                    == site.newUsers(place, boundaries, SeriesFilter())
            )
            for filter in place.filters {
                #expect(
                    try await site.store.newUsers(
                        in: place.workspace,
                        between: boundaries,
                        filter: filter
                    ) == site.newUsers(place, boundaries, filter),
                    "\(filter)"
                )
            }
        }
    }

    private func checkPurchases(
        _ site: RandomSeriesSite,
        _ place: RandomSeriesSite.Place
    ) async throws {
        let bought = place.facts.filter { $0.product != nil }
        let products = Set(bought.compactMap(\.product)).sorted()
        for (limit, offset) in [(10, 0), (1, 0), (1, 1), (10, 1), (10, 2)] {
            #expect(
                try await site.store.products(in: place.workspace, limit: limit, offset: offset)
                    == Array(products.dropFirst(offset).prefix(limit))
            )
        }
        for product in [nil] + products.map(Optional.some) + ["soap"] {
            let currencies = Set(
                bought.filter { product == nil || $0.product == product }.map(\.currency)
            )
            #expect(
                try await site.store.currencies(of: product, in: place.workspace)
                    == currencies.sorted()
            )
        }
    }

    private func withSite(
        _ seed: UInt64,
        _ body: (RandomSeriesSite) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-series-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        try await body(RandomSeriesSite(store, seed))
    }
}

private struct RandomSeriesSite {
    struct Fact {
        var name: String
        var user: ProfileID
        var app: AppID
        var time: Date
        var product: String?
        var currency = ""
        var price = 0.0
        var quantity = 0
    }

    struct Place {
        var workspace: WorkspaceID
        var apps: [AppID]
        var facts: [Fact] = []
        /// When each user was made.
        var users: [ProfileID: Date] = [:]

        var filters: [SeriesFilter] {
            let users = users.keys.sorted()
            return [
                SeriesFilter(), SeriesFilter(apps: [apps[0]]), SeriesFilter(apps: Set(apps)),
                SeriesFilter(users: users), SeriesFilter(users: [users[1]]),
                SeriesFilter(users: []),
                SeriesFilter(apps: [apps[1]], users: [users[0], users[2]]),
            ]
        }
    }

    static let allSeries: [CountSeries] = [
        .events("viewed"), .events("nobody did"), .sessions, .quantity(product: nil),
        .quantity(product: "tea"), .quantity(product: "soap"),
        .revenue(product: nil, currency: "EUR"), .revenue(product: "pot", currency: "EUR"),
        .revenue(product: "tea", currency: "JPY"), .revenue(product: "tea", currency: "USD"),
    ]

    let store: SQLStore
    let calendar: LocalDays
    /// The beginnings of fourteen days, on one of which clocks change, and the end of the last.
    let days: [Date]
    private(set) var places: [Place] = []
    private let end: Date

    init(_ store: SQLStore, _ seed: UInt64) async throws {
        self.store = store
        calendar = LocalDays(try #require(TimeZone(identifier: "Europe/Berlin")))
        end = try #require(Timestamp.parse("2026-04-03T12:00:00Z"))
        days = calendar.days(14, endingAt: end)
        var random = SeriesGenerator(seed)
        for number in 0..<2 {
            let workspace = try await store.createWorkspace(
                name: "House \(number)",
                timeZone: "Europe/Berlin",
                now: days[0]
            )
            var apps: [AppID] = []
            for platform in ["ios", "android"] {
                let draft = AppDraft(
                    name: platform,
                    platform: platform,
                    bundleID: "example.\(platform)",
                    sdkKey: UUID().uuidString
                )
                apps.append(
                    try await store.createApp(draft, in: workspace, noting: nil, now: days[0]).id
                )
            }
            places.append(Place(workspace: workspace, apps: apps))
        }
        for index in places.indices { try await fill(index, &random) }
        for place in places {
            try await store.refreshDailyCounts(in: place.workspace, days: calendar)
        }
    }

    private mutating func fill(_ index: Int, _ random: inout SeriesGenerator) async throws {
        for user in ["ada", "bob", "eve"] {
            let made = time(&random)
            try await ingest(
                nil,
                user,
                .event(name: "came", properties: [:]),
                at: made,
                in: places[index],
                now: made
            )
            let profile = try #require(
                try await store.profile(.external(user), in: places[index].workspace)
            )
            #expect(profile.createdAt.milliseconds == made.milliseconds)
            places[index].users[profile.id] = made
        }
        for _ in 0..<90 {
            let user = ["ada", "bob", "eve"].randomElement(using: &random) ?? "ada"
            let profile = try #require(
                try await store.profile(.external(user), in: places[index].workspace)
            )
            let app = Int.random(in: 0...1, using: &random)
            var fact = Fact(
                name: "viewed",
                user: profile.id,
                app: places[index].apps[app],
                time: time(&random)
            )
            var content = IngestItem.Content.event(name: "viewed", properties: [:])
            switch Int.random(in: 0..<4, using: &random) {
            case 0: break
            case 1:
                // What looks like a purchase, and is an event.
                content = .event(name: "viewed", properties: ["product_id": "tea", "quantity": 9])
            case 2:
                fact.name = "$session_start"
                content = .sessionStarted
            default:
                fact.name = "$purchase"
                fact.product = Bool.random(using: &random) ? "tea" : "pot"
                fact.currency = Bool.random(using: &random) ? "EUR" : "JPY"
                fact.price = Double(Int.random(in: -8...400, using: &random)) / 4
                fact.quantity = Int.random(in: 1...5, using: &random)
                content = .purchase(
                    product: fact.product ?? "",
                    currency: fact.currency,
                    price: fact.price,
                    quantity: fact.quantity,
                    properties: [:]
                )
            }
            try await ingest(app, user, content, at: fact.time, in: places[index])
            places[index].facts.append(fact)
        }
    }

    /// Mostly at the very edge of a day, also before the first and after the last.
    private func time(_ random: inout SeriesGenerator) -> Date {
        let day = calendar.start(of: end, adding: Int.random(in: -16...1, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return day
        case 1: return day.addingTimeInterval(-0.001)
        case 2: return day.addingTimeInterval(0.001)
        case 3: return day.addingTimeInterval(7_200)
        default:
            return day.addingTimeInterval(Double(Int.random(in: 0..<86_400, using: &random)))
        }
    }

    /// - Parameter app: The number of the app; without it the request is one of an API.
    func ingest(
        _ app: Int?,
        _ user: String,
        _ content: IngestItem.Content,
        at time: Date,
        in place: Place,
        now: Date? = nil
    ) async throws {
        var source = IngestRequest.Source.api
        if let app {
            // A phone of the user's own.
            let phone = RecordKey(workspace: place.workspace, request: "\(user) \(app)")
                .id(list: 0, index: 0)
            source = .device(SDKDevice(id: phone, platform: "ios"), app: place.apps[app])
        }
        let item = IngestItem(recordID: UUID(), user: .external(user), time: time, content: content)
        let outcomes = try await store.ingest(
            [IngestRequest(workspace: place.workspace, source: source, items: [item])],
            now: now ?? end.addingTimeInterval(9 * 86_400)
        )
        #expect(outcomes == [[.stored(except: [])]])
    }

    /// Makes events without an app look as those from before apps were noted.
    func forgetApps(of workspace: String, at times: [Date]) async throws {
        let changes = try await store.write { database in
            try database.execute(
                sql: """
                    UPDATE events SET app_id = NULL
                    WHERE app_id = 0 AND time IN (?, ?) AND name_id IN (
                        SELECT event_names.id FROM event_names JOIN workspaces
                            ON workspaces.id = event_names.workspace_id
                        WHERE workspaces.name = ?
                    )
                    """,
                arguments: StatementArguments(times.map(\.milliseconds)) + [workspace]
            )
            return try database.changesCount
        }
        #expect(changes == times.count)
    }

    // MARK: What follows

    func counts(
        _ series: CountSeries,
        _ place: Place,
        _ boundaries: [Date],
        _ filter: SeriesFilter = SeriesFilter()
    ) -> [Double] {
        func value(_ fact: Fact) -> Double {
            switch series {
            case .events(let name): fact.name == name ? 1 : 0
            case .quantity(let product):
                fact.product != nil && (product == nil || fact.product == product)
                    ? Double(fact.quantity) : 0
            case .revenue(let product, let currency):
                fact.currency == currency && (product == nil || fact.product == product)
                    ? fact.price * Double(fact.quantity) : 0
            }
        }
        let facts = place.facts.filter { passes($0, filter) }
        return zip(boundaries, boundaries.dropFirst()).map { start, end in
            facts.reduce(0) { $1.time >= start && $1.time < end ? $0 + value($1) : $0 }
        }
    }

    func activeUsers(
        _ place: Place,
        _ days: [Date],
        _ window: Int,
        _ filter: SeriesFilter
    ) -> [Int] {
        let sessions = place.facts.filter { $0.name == "$session_start" && passes($0, filter) }
        return zip(days, days.dropFirst()).map { day, next in
            let first = calendar.start(of: day, adding: 1 - window)
            return Set(sessions.filter { $0.time >= first && $0.time < next }.map(\.user)).count
        }
    }

    func newUsers(_ place: Place, _ boundaries: [Date], _ filter: SeriesFilter) -> [Int] {
        var made = place.users
        if !filter.apps.isEmpty {
            made = [:]
            for fact in place.facts
            where fact.name == "$session_start" && filter.apps.contains(fact.app) {
                made[fact.user] = min(made[fact.user] ?? fact.time, fact.time)
            }
        }
        return zip(boundaries, boundaries.dropFirst()).map { start, end in
            made.count { $0.value >= start && $0.value < end && filter.contains($0.key) }
        }
    }

    private func passes(_ fact: Fact, _ filter: SeriesFilter) -> Bool {
        (filter.apps.isEmpty || filter.apps.contains(fact.app)) && filter.contains(fact.user)
    }
}

private struct SeriesGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
