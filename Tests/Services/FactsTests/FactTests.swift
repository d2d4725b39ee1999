import Facts
import Foundation
import GRDB
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Facts")
struct FactTests {
    private func withStore(_ body: (SQLStore, String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-facts-\(UUID().uuidString).sqlite").path
        defer {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + end)
            }
        }
        try await body(try SQLStore.testing(at: path), path)
    }

    /// All facts from the first on, in pages of a size.
    private func all(
        _ service: FactService,
        _ workspace: WorkspaceID,
        limit: Int = 1_000,
        kinds: Set<Fact.Kind> = Set(Fact.Kind.allCases)
    ) async throws -> [Fact] {
        var (position, facts): (Int64, [Fact]) = (0, [])
        while true {
            let page = try await service.page(
                in: workspace,
                after: position,
                kinds: kinds,
                limit: limit
            )
            #expect(page.facts.count <= limit)
            #expect(page.position >= page.facts.last?.number ?? position)
            facts += page.facts
            position = page.position
            if page.isLast { return facts }
        }
    }

    @Test("a page is the last one only if nothing comes after it, with a number or without")
    func lastPage() async throws {
        try await withStore { store, _ in
            let history = try await FactHistory(store, seed: 4)
            let service = FactService(store: store, pause: {})
            let workspace = history.fixture.workspace
            for _ in 0..<30 { try await history.step() }
            // Numbers for what is there, none for what comes then.
            while try await store.numberFacts() {}
            let numbered = try await store.lastFactNumber()
            for _ in 0..<30 { try await history.step() }
            let facts = try await all(service, workspace)
            #expect(facts.contains { $0.number <= numbered })
            #expect(facts.contains { $0.number > numbered })
            let end = try await store.lastFactNumber()
            #expect(try await all(service, workspace) == facts)
            #expect(try await store.lastFactNumber() == end)
        }
    }

    @Test(
        "a reader that follows a history of reports, merges and deletions gets each once, in order",
        arguments: 1...10
    )
    func follow(seed: UInt64) async throws {
        try await withStore { store, _ in
            let history = try await FactHistory(store, seed: seed)
            let service = FactService(store: store, pause: {})
            let workspace = history.fixture.workspace
            var (position, followed): (Int64, [Fact]) = (0, [])
            func read() async throws {
                let limit = Int.random(in: 1...40, using: &history.random)
                let page = try await service.page(in: workspace, after: position, limit: limit)
                // A reader that is killed before it has stored the page asks for it again.
                guard Int.random(in: 0..<3, using: &history.random) > 0 else { return }
                followed += page.facts
                position = page.position
            }
            for _ in 0..<150 {
                try await history.step()
                if Bool.random(using: &history.random) { try await read() }
            }
            while true {
                let before = position
                try await read()
                let page = try await service.page(in: workspace, after: position, limit: 1)
                if position == before, page.facts.isEmpty, page.isLast { break }
            }
            let numbers = followed.map(\.number)
            #expect(numbers == Array(Set(numbers)).sorted())
            let again = try await all(service, workspace, limit: 7)
            #expect(again == (try await all(service, workspace)))
            #expect(again.map(\.number) == Array(Set(again.map(\.number))).sorted())
            // What was deleted is not told any more; all else is, under the same number.
            let known = Dictionary(uniqueKeysWithValues: followed.map { ($0.number, $0) })
            for fact in again {
                #expect(known[fact.number]?.kind == fact.kind, "\(fact)")
                // A merge may have found that the server heard of a user earlier.
                guard fact.kind != .user else { continue }
                #expect(known[fact.number]?.fields["time"] == fact.fields["time"], "\(fact)")
            }
            for fact in again where fact.kind != .userDeleted && fact.kind != .userMerged {
                let user = fact.fields["user_id"]?.stringValue ?? ""
                #expect(!history.deleted.contains(user), "\(fact)")
            }
            #expect(
                Set(
                    again.filter { $0.kind == .userDeleted }.compactMap {
                        $0.fields["user_id"]?.stringValue
                    }
                ) == history.deleted
            )
            for facts in [followed, again] { try await check(facts, history) }
        }
    }

    /// Computes the figures of the sends from facts and compares them with those of the store.
    private func check(_ facts: [Fact], _ history: FactHistory) async throws {
        struct Message {
            var send: Int64
            var outcome = "open"
            var isReceived = false
            var isOpened = false
            var isInfluenced = false
            var isDismissed = false
        }
        var messages: [String: Message] = [:]
        func text(_ fact: Fact, _ field: String) -> String { fact.fields[field]?.stringValue ?? "" }
        for fact in facts {
            let (id, send) = (text(fact, "message_id"), fact.fields["push_no"]?.integerValue ?? 0)
            switch fact.kind {
            case .message: messages[id] = Message(send: send)
            case .messageOutcome: messages[id]?.outcome = text(fact, "outcome")
            case .influencedOpen: messages[id]?.isInfluenced = !text(fact, "time").isEmpty
            case .pushInteraction:
                messages[id]?.isReceived = true
                if text(fact, "interaction") == "opened" { messages[id]?.isOpened = true }
                if text(fact, "interaction") == "dismissed" { messages[id]?.isDismissed = true }
            case .messageAnonymized:
                messages[text(fact, "replaces_message_id")] = nil
                messages[id] = Message(
                    send: send,
                    outcome: text(fact, "outcome"),
                    isReceived: !text(fact, "received_at").isEmpty,
                    isOpened: !text(fact, "opened_at").isEmpty,
                    isInfluenced: !text(fact, "influenced_at").isEmpty,
                    isDismissed: !text(fact, "dismissed_at").isEmpty
                )
            default: break
            }
        }
        let counts = try await history.store.counts(of: history.sends)
        for send in history.sends {
            let mine = messages.values.filter { $0.send == send.rawValue }
            let said = try #require(counts[send])
            #expect(mine.count == said.total, "send \(send)")
            for (name, state) in [
                ("accepted", DispatchState.accepted), ("refused", .rejected),
                ("unknown", .unknown), ("skipped", .skipped),
            ] {
                #expect(mine.count { $0.outcome == name } == said[state], "send \(send): \(name)")
            }
            #expect(mine.count(where: \.isReceived) == said.received, "send \(send)")
            #expect(mine.count(where: \.isOpened) == said.opened, "send \(send)")
            #expect(
                mine.count { $0.isInfluenced && !$0.isOpened } == said.influenced,
                "send \(send)"
            )
            #expect(mine.count(where: \.isDismissed) == said.dismissed, "send \(send)")
        }
    }

    @Test("workspaces see nothing of each other", arguments: [3, 4] as [UInt64])
    func workspaces(seed: UInt64) async throws {
        try await withStore { store, _ in
            let history = try await FactHistory(store, seed: seed)
            let service = FactService(store: store, pause: {})
            for _ in 0..<120 { try await history.step() }
            let mine = try await all(service, history.fixture.workspace, limit: 5)
            let theirs = try await all(service, history.other.workspace, limit: 5)
            #expect(Set(mine.map(\.number)).isDisjoint(with: theirs.map(\.number)))
            #expect(Set(theirs.map(\.kind)).isSubset(of: [.user, .session, .audit]))
            #expect(theirs.contains { $0.kind == .session })
            let myUsers = Set(mine.compactMap { $0.fields["user_id"]?.stringValue })
            let theirUsers = Set(theirs.compactMap { $0.fields["user_id"]?.stringValue })
            #expect(myUsers.isDisjoint(with: theirUsers))
        }
    }

    @Test("kinds that are not wanted are passed over, wherever the page ends")
    func kinds() async throws {
        try await withStore { store, _ in
            let history = try await FactHistory(store, seed: 9)
            let service = FactService(store: store, pause: {})
            for _ in 0..<120 { try await history.step() }
            let workspace = history.fixture.workspace
            let facts = try await all(service, workspace)
            for kind in Set(facts.map(\.kind)) {
                let some = try await all(service, workspace, limit: 2, kinds: [kind])
                #expect(some == facts.filter { $0.kind == kind }, "\(kind)")
            }
            let pair: Set<Fact.Kind> = [.session, .messageOutcome]
            #expect(
                try await all(service, workspace, limit: 3, kinds: pair)
                    == facts.filter { pair.contains($0.kind) }
            )
        }
    }

    @Test("rows that get the numbers of deleted ones are new facts")
    func reused() async throws {
        try await withStore { store, _ in
            let conformance = StoreConformance(store)
            let fixture = try await conformance.fixture()
            let service = FactService(store: store, pause: {})
            let phone = UUID()
            func opened(_ name: String) async throws {
                for _ in 0..<3 {
                    _ = try await conformance.batch(
                        [(.external(name), .sessionStarted)],
                        from: phone,
                        in: fixture
                    )
                }
            }
            try await opened("ada")
            let first = try await service.page(in: fixture.workspace, after: 0, limit: 100)
            #expect(first.facts.count { $0.kind == .session } == 3)
            let found = try await store.profile(.external("ada"), in: fixture.workspace)
            let ada = try #require(found)
            _ = try await store.deleteUsers(
                [ada.id],
                in: fixture.workspace,
                noting: nil,
                now: conformance.now
            )
            try await opened("bob")
            let second = try await service.page(
                in: fixture.workspace,
                after: first.position,
                limit: 100
            )
            #expect(second.facts.count { $0.kind == .session } == 3)
            #expect(second.facts.count { $0.kind == .userDeleted } == 1)
            #expect(second.facts.allSatisfy { $0.number > first.position })
            let again = try await all(service, fixture.workspace)
            #expect(again == second.facts)
        }
    }

    @Test("what a user says of consent is a fact, each change once")
    func consent() async throws {
        try await withStore { store, _ in
            let conformance = StoreConformance(store)
            let fixture = try await conformance.fixture()
            let service = FactService(store: store, pause: {})
            for (name, value) in [
                ("push_subscribe", JSONValue.string("opted_in")), ("push_subscribe", "opted_in"),
                ("email_subscribe", "unsubscribed"), ("first_name", "Ada"),
                ("push_subscribe", "unsubscribed"),
            ] {
                _ = try await conformance.ingest(
                    [
                        IngestItem(
                            recordID: UUID(),
                            user: .external("ada"),
                            time: conformance.now,
                            content: .attributes(AttributeChanges([name: value]))
                        )
                    ],
                    in: fixture.workspace
                )
            }
            let facts = try await all(service, fixture.workspace, kinds: [.consent])
            let said = facts.map {
                "\($0.fields["subject"]?.stringValue ?? "") \($0.fields["state"]?.stringValue ?? "")"
            }
            #expect(said == ["push opted_in", "email unsubscribed", "push unsubscribed"])
            #expect(facts.allSatisfy { $0.fields["external_id"] == "ada" })
        }
    }

    @Test("after a restore no number is given again, and a position of the other server is refused")
    func restored() async throws {
        try await withStore { store, _ in
            let history = try await FactHistory(store, seed: 2)
            let service = FactService(store: store, pause: {})
            for _ in 0..<30 { try await history.step() }
            let workspace = history.fixture.workspace
            let before = try await all(service, workspace)
            let last = try await service.lastNumber()
            let problem = await #expect(throws: UnknownFactPositionError.self) {
                _ = try await service.page(in: workspace, after: last + 1, limit: 1)
            }
            #expect(problem?.last == last)
            try await store.skipFactNumbers()
            for _ in 0..<10 { try await history.step() }
            let page = try await service.page(in: workspace, after: last + 900, limit: 1_000)
            #expect(!page.facts.isEmpty)
            let after = try await all(service, workspace)
            #expect(after.filter { $0.number > last } == page.facts)
            #expect(after.count { $0.number <= last } <= before.count)
        }
    }

    @Test(
        "a history from before facts were noted comes out too",
        .aboutFiles,
        arguments: [5, 6] as [UInt64]
    )
    func backfill(seed: UInt64) async throws {
        try await withStore { store, path in
            let history = try await FactHistory(store, seed: seed)
            for _ in 0..<150 { try await history.step() }
            let other = try DatabaseQueue(path: path)
            try await other.write { database in
                try database.execute(sql: "DELETE FROM fact_log; DELETE FROM merged_users;")
                try database.execute(sql: FactSchema.before)
            }
            let service = FactService(store: store, pause: {})
            let facts = try await all(service, history.fixture.workspace)
            #expect(facts.contains { $0.kind == .message })
            try await check(facts, history)
        }
    }
}
