import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import Testing

@Suite("What a condition may name")
struct SegmentVocabularyTests {
    private func withTerms(
        _ fill: (ServiceTests.Fixture) async throws -> Void,
        _ check: ([String: String]) throws -> Void
    ) async throws {
        try await ServiceTests.withFixture { fixture in
            try await fill(fixture)
            let vocabulary = SegmentVocabulary(store: fixture.store)
            let terms = try await vocabulary.terms(in: fixture.workspace)
            try check(Dictionary(terms.map { ($0.name, $0.example) }) { first, _ in first })
        }
    }

    private func event(_ name: String) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: Date(timeIntervalSince1970: 1_790_000_000),
            content: .event(name: name, properties: [:])
        )
    }

    @Test("has an example for everything, each of which can be read")
    func examples() async throws {
        try await ServiceTests.withFixture { fixture in
            try await fixture.track(
                "ada",
                ["plan": "gold", "visits": 3, "share": 0.5, "is_new": true, "teas": ["sencha"]]
            )
            try await fixture.track([event("brewed tea")])
            let segments = SegmentService(store: fixture.store, now: { Date() })
            let actor = Actor.commandLine(account: "mio", fixture.workspace)
            _ = try await segments.create(
                SegmentService.Draft(name: "Gold", definition: .text("age > 1")),
                by: actor
            )
            let lists = UserListService(store: fixture.store, now: { Date() })
            _ = try await lists.upload(Array("ada".utf8), as: "Summer", by: actor)
            let terms = try await SegmentVocabulary(store: fixture.store)
                .terms(in: fixture.workspace)
            let book = try await segments.book(of: fixture.workspace)
            for term in terms {
                #expect(throws: Never.self, "\(term)") { try book.rule(text: term.example) }
            }
            let names = terms.map(\.name)
            for name in [
                "country", "random_bucket", "Gold", "Summer", "brewed tea", "plan", "visits",
                "share", "is_new", "teas",
            ] {
                #expect(names.contains(name), "\(name)")
            }
        }
    }

    @Test("makes the example of an attribute from a value that somebody has, after its kind")
    func attributes() async throws {
        try await withTerms { fixture in
            try await fixture.track(
                "ada",
                [
                    "plan": "gold", "visits": 3, "share": 0.5, "is_new": true,
                    "teas": ["sencha"], "sizes": [1], "since": "2026-07-04T00:00:00Z",
                    "account": 9_007_199_254_740_993, "cup": ["size": 1],
                ]
            )
        } _: { terms in
            #expect(terms["plan"] == #"plan = "gold""#)
            #expect(terms["visits"] == "visits >= 3")
            #expect(terms["share"] == "share >= 0.5")
            #expect(terms["is_new"] == "is_new = true")
            #expect(terms["teas"] == #"teas contains "sencha""#)
            #expect(terms["sizes"] == "sizes exists")
            #expect(terms["cup"] == "cup exists")
            #expect(terms["since"] == "since >= now - 7 days")
            #expect(terms["account"] == "account >= 9007199254740993")
        }
    }

    @Test("an event is offered with the last seven days")
    func events() async throws {
        try await withTerms {
            try await $0.track([event("brewed")])
        } _: { terms in
            #expect(terms["brewed"]?.contains("7 days") == true)
        }
    }

    @Test("shows thirty attributes and thirty events, and ten segments and ten lists")
    func limits() async throws {
        try await ServiceTests.withFixture { fixture in
            let numbers = (10..<41).map(String.init)
            try await fixture.track(
                "ada",
                Dictionary(uniqueKeysWithValues: numbers.map { ("attribute\($0)", .bool(true)) })
            )
            try await fixture.track(numbers.map { event("event\($0)") })
            let segments = SegmentService(store: fixture.store, now: { Date() })
            let lists = UserListService(store: fixture.store, now: { Date() })
            let actor = Actor.commandLine(account: "mio", fixture.workspace)
            for number in numbers.prefix(11) {
                _ = try await segments.create(
                    SegmentService.Draft(name: "segment\(number)", definition: .text("age > 1")),
                    by: actor
                )
                _ = try await lists.upload(Array("ada".utf8), as: "list\(number)", by: actor)
            }
            let terms = try await SegmentVocabulary(store: fixture.store)
                .terms(in: fixture.workspace)
            func count(_ kind: String) -> Int { terms.count { $0.name.hasPrefix(kind + "1") } }
            func all(_ kind: String) -> Int {
                terms.count {
                    $0.name.hasPrefix(kind) && Int($0.name.dropFirst(kind.count)) != nil
                }
            }
            #expect(all("attribute") == 30 && all("event") == 30)
            #expect(all("segment") == 10 && all("list") == 10)
            // Attributes and events by name.
            #expect(count("attribute") == 10 && count("event") == 10)
        }
    }

    @Test("looks at the attributes of fifty users")
    func sample() async throws {
        try await withTerms { fixture in
            for number in 0..<51 { try await fixture.track("u\(number)", ["a\(number)": true]) }
        } _: { terms in
            // No more than thirty are shown, of fifty users.
            let shown = (0..<51).filter { terms["a\($0)"] != nil }
            #expect(shown.count == 30)
        }
    }
}
