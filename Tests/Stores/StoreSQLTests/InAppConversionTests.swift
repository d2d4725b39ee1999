import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("The goal of an in-app message")
struct InAppConversionTests {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)
    private static let hour: TimeInterval = 3600

    /// What somebody did, at a number of seconds after the start.
    private enum Deed {
        /// `nil` is the control group.
        case seen(Int?)
        /// Would have been seen by a member of the workspace's control group.
        case withheld
        case tapped(Int)
        case bought(String)
    }

    private struct Site {
        let store: SQLStore
        let fixture: StoreConformance.Fixture
        let message: UUID

        func tell(_ user: String, _ deeds: [(at: Double, deed: Deed)]) async throws {
            let items = deeds.map { at, deed in
                let content: IngestItem.Content =
                    switch deed {
                    case .seen(let variant): report(.impression, Self.name(variant))
                    case .tapped(let variant): report(.click, Self.name(variant))
                    case .withheld: report(.impression, InAppExperiment.withheldName)
                    case .bought(let product):
                        .event(name: "bought", properties: ["product": .string(product)])
                    }
                return IngestItem(
                    recordID: UUID(),
                    user: .external(user),
                    time: start.addingTimeInterval(at),
                    content: content
                )
            }
            let request = IngestRequest(
                workspace: fixture.workspace,
                source: .device(SDKDevice(id: UUID(), platform: "ios"), app: fixture.app.id),
                items: items
            )
            _ = try await store.ingest([request], now: start.addingTimeInterval(100_000))
        }

        private func report(
            _ kind: SDKRecord.InAppMessageInteraction.Kind,
            _ variant: String
        ) -> IngestItem.Content {
            .inAppMessage(
                .init(kind: kind, message: message.uuidString.lowercased(), variant: variant)
            )
        }

        private static func name(_ variant: Int?) -> String {
            variant.map(String.init) ?? InAppExperiment.controlName
        }

        func withheld(_ goal: ConversionEvent?) async throws -> [Int] {
            let group = try await store.inAppWithheld(
                of: message,
                goal: goal,
                in: fixture.workspace
            )
            return [group.users, group.clicked, group.converted]
        }

        func reach(_ goal: ConversionEvent?) async throws -> [Int?] {
            let reach = try await store.inAppReach(
                of: message,
                goal: goal,
                in: fixture.workspace
            )
            return [
                reach.shown, reach.clicked, reach.converted?.shown, reach.control,
                reach.converted?.control,
            ]
        }

        func groups(_ goal: ConversionEvent?) async throws -> [Int?: InAppGroupCounts] {
            try await store.inAppMessageGroups(
                of: message,
                goal: goal,
                in: fixture.workspace,
                numbers: [0, 1]
            )
        }
    }

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-goals-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let fixture = try await StoreConformance(store).fixture()
        try await body(Site(store: store, fixture: fixture, message: UUID()))
    }

    private func goal(_ conditions: [PropertyCondition] = []) -> ConversionEvent {
        ConversionEvent(
            event: EventMatch(.custom(name: "bought"), conditions: conditions),
            window: Self.hour
        )
    }

    @Test(
        "is reached within the window after a showing, both ends included",
        arguments: [
            (-0.001, false), (0, true), (3600, true), (3600.001, false),
        ]
    )
    func window(after: Double, counts: Bool) async throws {
        try await withSite { site in
            try await site.tell("ada", [(0, .seen(0)), (after, .bought("tea"))])
            try await site.tell("bo", [(0, .seen(nil)), (after, .bought("tea"))])
            let reached = counts ? 1 : 0
            #expect(try await site.reach(goal()) == [1, 0, reached, 1, reached])
            #expect(try await site.reach(nil) == [1, 0, nil, 1, nil])
        }
    }

    @Test("the workspace's control group is in a figure of its own, and in no other")
    func withheld() async throws {
        try await withSite { site in
            try await site.tell("ada", [(0, .withheld), (10, .withheld), (20, .bought("tea"))])
            try await site.tell("bo", [(0, .withheld), (3601, .bought("tea"))])
            // Whoever saw it at another time, or was in the message's own control group, is no longer
            // somebody from whom it was kept.
            try await site.tell("cy", [(0, .withheld), (5, .seen(0)), (10, .bought("tea"))])
            try await site.tell("di", [(0, .withheld), (5, .seen(nil)), (10, .bought("tea"))])
            try await site.tell("ed", [(0, .seen(1)), (10, .bought("tea"))])
            #expect(try await site.withheld(goal()) == [2, 0, 1])
            #expect(try await site.withheld(nil) == [2, 0, 0])
            #expect(try await site.reach(goal()) == [2, 0, 2, 1, 1])
            #expect(
                try await site.groups(goal()) == [
                    0: InAppGroupCounts(users: 1, clicked: 0, converted: 1),
                    1: InAppGroupCounts(users: 1, clicked: 0, converted: 1),
                    nil: InAppGroupCounts(users: 1, clicked: 0, converted: 1),
                ]
            )
            let counts = try await site.store.inAppMessageCounts(
                of: [site.message],
                in: site.fixture.workspace
            )
            #expect(counts[site.message]?.impressions == 2)
            let contacts = try await site.store.inAppMessageContacts(
                of: site.message,
                in: site.fixture.workspace,
                matching: InAppMessageEngagementQuery(limit: 10)
            )
            #expect(contacts.count == 2)
        }
    }

    @Test("is reached by events whose properties match")
    func conditions() async throws {
        try await withSite { site in
            try await site.tell("ada", [(0, .seen(0)), (1, .bought("cup")), (2, .bought("tea"))])
            try await site.tell("bo", [(0, .seen(1)), (1, .bought("cup"))])
            let tea = goal([PropertyCondition("product", .equals, "tea")])
            #expect(try await site.reach(tea)[2] == 1)
            #expect(try await site.groups(tea)[0]?.converted == 1)
            #expect(try await site.groups(tea)[1]?.converted == 0)
        }
    }

    @Test(
        "counts a person once, in the group of what was shown first",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func random(seed: UInt64) async throws {
        var random = Generator(seed: seed)
        try await withSite { site in
            var shown: [Int?: Set<Int>] = [:]
            var converted: [Int?: Set<Int>] = [:]
            var (seen, kept, bought, boughtKept): (Set<Int>, Set<Int>, Set<Int>, Set<Int>) =
                ([], [], [], [])
            for person in 0..<40 {
                var deeds: [(at: Double, deed: Deed)] = []
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let at = Double(Int.random(in: 0...30_000, using: &random))
                    let variant = [nil, 0, 1, 2][Int.random(in: 0..<4, using: &random)]
                    let isSeen = Bool.random(using: &random)
                    deeds.append((at, isSeen ? .seen(variant) : .bought("tea")))
                }
                try await site.tell("user-\(person)", deeds)
                var showings: [(at: Double, variant: Int?)] = []
                var buys: [Double] = []
                for (at, deed) in deeds {
                    if case .seen(let variant) = deed { showings.append((at, variant)) }
                    if case .bought = deed { buys.append(at) }
                }
                func reaches(_ wanted: (Int?) -> Bool) -> Bool {
                    showings.contains { showing in
                        wanted(showing.variant)
                            && buys.contains { $0 >= showing.at && $0 <= showing.at + Self.hour }
                    }
                }
                if showings.contains(where: { $0.variant != nil }) { seen.insert(person) }
                if showings.contains(where: { $0.variant == nil }) { kept.insert(person) }
                if reaches({ $0 != nil }) { bought.insert(person) }
                if reaches({ $0 == nil }) { boughtKept.insert(person) }
                let compared = showings.filter { $0.variant != 2 }
                guard let first = compared.map(\.at).min() else { continue }
                // Of two at the same moment the one whose name comes first in the alphabet.
                let group = compared.filter { $0.at == first }
                    .min { ($0.variant ?? 9) < ($1.variant ?? 9) }?.variant
                shown[group, default: []].insert(person)
                if reaches({ $0 != 2 }) { converted[group, default: []].insert(person) }
            }
            #expect(
                try await site.reach(goal())
                    == [seen.count, 0, bought.count, kept.count, boughtKept.count]
            )
            let groups = try await site.groups(goal())
            for group in [nil, 0, 1] as [Int?] {
                #expect(groups[group]?.users ?? 0 == shown[group]?.count ?? 0)
                #expect(groups[group]?.converted ?? 0 == converted[group]?.count ?? 0)
            }
        }
    }

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
