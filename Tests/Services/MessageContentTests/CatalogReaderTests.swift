import Campaigns
import Content
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Which items of a catalog messages get")
struct CatalogReaderTests {
    /// A clock that stands until it is moved on.
    private final class Clock: Sendable {
        private let seconds = Mutex(1_790_000_000.0)

        var now: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

        func advance(_ by: Double) { seconds.withLock { $0 += by } }
    }

    /// Numbers from 0 to 1 in an order that is the same each time.
    private final class Draws: Sendable {
        private let state = Mutex<UInt64>(7)

        func next() -> Double {
            state.withLock { state in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Double(state >> 11) / Double(1 << 53)
            }
        }
    }

    private struct Bench {
        let catalogs: CatalogService
        let workspace: WorkspaceID
        let reader: CatalogReader
        let clock: Clock

        var actor: Actor { .commandLine(account: "root", workspace) }

        func add(_ items: [(String, [String: JSONValue])]) async throws {
            try await catalogs.save(
                items.map { CatalogItem(id: $0.0, values: $0.1) },
                as: .replace,
                in: "teas",
                by: actor
            )
        }

        func select(
            _ name: String,
            _ filters: [(String, CatalogSelection.Comparison, JSONValue)] = [],
            by field: String? = "id",
            isDescending: Bool = false,
            limit: Int = 50
        ) async throws {
            try await catalogs.addSelection(
                CatalogSelection(
                    name: name,
                    filters: filters.map { .init(field: $0.0, comparison: $0.1, value: $0.2) },
                    order: field.map { .init(field: $0, isDescending: isDescending) },
                    limit: limit
                ),
                to: "teas",
                by: actor
            )
        }

        func ids(_ selection: String) async throws -> [String]? {
            try await reader.items(ofSelection: selection, of: "teas", in: workspace)?.map(\.id)
        }
    }

    /// - Parameter random: Numbers from 0 to 1.
    private func bench(
        random: @escaping @Sendable () -> Double = Draws().next,
        _ work: (Bench) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-catalogs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let fixture = try await StoreConformance(store).fixture()
        let clock = Clock()
        let catalogs = CatalogService(store: store) { clock.now }
        _ = try await catalogs.create(
            "teas",
            description: "",
            fields: [
                .init(name: "id", type: .string), .init(name: "name", type: .string),
                .init(name: "price", type: .number), .init(name: "new", type: .boolean),
                .init(name: "since", type: .time), .init(name: "tags", type: .array),
            ],
            by: .commandLine(account: "root", fixture.workspace)
        )
        try await work(
            Bench(
                catalogs: catalogs,
                workspace: fixture.workspace,
                reader: CatalogReader(store: store, now: { clock.now }, random: random),
                clock: clock
            )
        )
    }

    @Test(
        "a filter finds the items that meet it; a missing value meets what says what it is not",
        arguments: [
            ("name", .equals, "Sencha", "a"), ("name", .differs, "Sencha", "bcd"),
            ("price", .equals, 9.0, "b"), ("price", .differs, 9, "acd"),
            ("price", .isMore, 9, "a"), ("price", .isLess, 9, "c"),
            ("new", .agrees, true, "a"), ("new", .agrees, false, "b"),
            ("since", .isBefore, "2026-07-01", "a"), ("since", .isAfter, "2026-07-01", "b"),
            ("tags", .includes, "green", "ab"), ("tags", .excludes, "green", "cd"),
            ("tags", .includes, 7, "b"), ("id", .equals, "d", "d"),
        ] as [(String, CatalogSelection.Comparison, JSONValue, String)]
    )
    func filters(
        _ field: String,
        _ comparison: CatalogSelection.Comparison,
        _ value: JSONValue,
        _ expected: String
    ) async throws {
        try await bench { bench in
            try await bench.add([
                (
                    "a",
                    [
                        "name": "Sencha", "price": 12, "new": true, "since": "2026-06-01",
                        "tags": ["green"],
                    ]
                ),
                (
                    "b",
                    [
                        "name": "Hojicha", "price": 9, "new": false,
                        "since": "2026-07-04T10:00:00+09:00", "tags": ["green", 7],
                    ]
                ),
                ("c", ["price": 2.5, "tags": []]), ("d", [:]),
            ])
            try await bench.select("s", [(field, comparison, value)])
            #expect(try await bench.ids("s")?.joined() == expected)
        }
    }

    @Test("all filters of a selection have to be met")
    func several() async throws {
        try await bench { bench in
            try await bench.add([
                ("a", ["price": 1, "new": true]), ("b", ["price": 5, "new": true]),
                ("c", ["price": 5, "new": false]),
            ])
            try await bench.select("s", [("price", .isMore, 2), ("new", .agrees, true)])
            #expect(try await bench.ids("s") == ["b"])
        }
    }

    @Test("items come in the order of the field, those without a value last, up to the limit")
    func order() async throws {
        try await bench { bench in
            // In another order than that of the ids.
            func price(_ number: Int) -> Int64 { Int64(number * 7 % 230) }
            func item(_ number: Int) -> (String, [String: JSONValue]) {
                ("\(1_000 + number)", number % 10 == 0 ? [:] : ["price": .integer(price(number))])
            }
            try await bench.add((0..<230).map(item))
            try await bench.add([
                ("x", ["since": "2026-07-04T01:00:00+09:00"]),
                ("y", ["since": "2026-07-03T23:00:00Z"]),
            ])
            try await bench.select("cheap", by: "price", limit: 3)
            try await bench.select("dear", by: "price", isDescending: true, limit: 3)
            try await bench.select("first", [("since", .isAfter, "2026-01-01")], by: "since")
            func prices(_ selection: String) async throws -> [Int64] {
                let items = try await bench.reader.items(
                    ofSelection: selection,
                    of: "teas",
                    in: bench.workspace
                )
                return (items ?? []).compactMap { $0["price"].integerValue }
            }
            let all = (0..<230).filter { $0 % 10 != 0 }.map(price).sorted()
            #expect(try await prices("cheap") == Array(all.prefix(3)))
            #expect(try await prices("dear") == Array(all.reversed().prefix(3)))
            #expect(try await bench.ids("first") == ["x", "y"])
        }
    }

    @Test("without an order each message gets items at random, and over time all of them")
    func random() async throws {
        try await bench { bench in
            let ids = (0..<20).map { String(100 + $0) }
            try await bench.add(ids.map { ($0, [:]) })
            try await bench.select("s", by: nil, limit: 4)
            var seen: Set<String> = []
            for _ in 0..<60 {
                let drawn = try #require(await bench.ids("s"))
                #expect(Set(drawn).count == 4)
                seen.formUnion(drawn)
            }
            #expect(seen == Set(ids))
        }
    }

    @Test("of more than a thousand items each has the same chance to be among the thousand")
    func manyItems() async throws {
        // What falls to the 1,001st and the 1,002nd item; then each message takes the first ones.
        let count = 1_001.0
        for (first, second, expected) in [
            (10.999 / count, 20.999 / (count + 1), [10: "2000", 20: "2001"]),
            (10.001 / count, 20.001 / (count + 1), [10: "2000", 20: "2001"]),
            (999.999 / count, 999.999 / (count + 1), [:]),
            (1_000.001 / count, 1_000.5 / (count + 1), [:]),
        ] as [(Double, Double, [Int: String])] {
            let numbers = Mutex([second, first])
            try await bench(random: { numbers.withLock { $0.popLast() ?? 0 } }) { bench in
                for start in stride(from: 1_000, to: 2_002, by: 50) {
                    try await bench.add(
                        (start..<min(start + 50, 2_002)).map { (String($0), [:]) }
                    )
                }
                try await bench.select("s", by: nil, limit: 50)
                var ids = (0..<50).map { String(1_000 + $0) }
                for (place, id) in expected { ids[place] = id }
                #expect(try await bench.ids("s") == ids)
                // Both were asked for, and nothing else.
                #expect(numbers.withLock { $0.isEmpty })
            }
        }
    }

    @Test("a change of the catalog reaches messages within half a minute")
    func freshness() async throws {
        try await bench { bench in
            try await bench.add([("a", [:]), ("b", [:])])
            try await bench.select("s", [("id", .differs, "z")])
            #expect(try await bench.ids("s") == ["a", "b"])
            try await bench.add([("c", [:])])
            try await bench.catalogs.deleteItem("a", in: "teas", by: bench.actor)
            // What is gone is never given, what is new comes later.
            #expect(try await bench.ids("s") == ["b"])
            bench.clock.advance(30)
            #expect(try await bench.ids("s") == ["b", "c"])
        }
    }

    @Test("there is no selection of another name, catalog or workspace")
    func unknown() async throws {
        try await bench { bench in
            try await bench.select("s")
            #expect(try await bench.ids("s") == [])
            #expect(try await bench.ids("t") == nil)
            let other = try await bench.reader.items(
                ofSelection: "s",
                of: "cups",
                in: bench.workspace
            )
            #expect(other == nil)
            let elsewhere = try await bench.reader.items(
                ofSelection: "s",
                of: "teas",
                in: WorkspaceID(bench.workspace.rawValue + 1)
            )
            #expect(elsewhere == nil)
        }
    }
}
