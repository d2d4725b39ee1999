import Analytics
import Foundation
import Logging
import Model
import Ports
import Servers
import ServiceLifecycle
import StoreSQL
import StoreTesting
import Synchronization
import Testing

@Suite("Servers tell each other of changes")
struct ChangeExchangeTests {
    /// A server with a store of its own.
    private struct Server {
        let id = UUID()
        let store: SQLStore
        let feed = ChangeFeed()
        let share = ServerShare()
        let exchange: ChangeExchange
        private let woken: Counter

        var wakes: Int { woken.count }

        init(_ path: String, on kind: StoreKind, servers: Int = 2) throws {
            store = try SQLStore.testing(at: path, on: kind)
            share.set(.stand(servers))
            let woken = Counter()
            self.woken = woken
            exchange = ChangeExchange(
                store: store,
                server: id,
                feed: feed,
                share: share,
                pause: .milliseconds(5),
                now: { ChangeExchangeTests.now },
                wake: woken.add,
                logger: Logger(label: "test")
            )
        }
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock(\.self) }

        func add() { value.withLock { $0 += 1 } }
    }

    /// What a listener has got so far.
    private final class Heard: Sendable {
        private let changes = Mutex<[SharedChange]>([])

        var all: Set<SharedChange> { Set(changes.withLock(\.self)) }
        var count: Int { changes.withLock(\.count) }

        func add(_ change: SharedChange) { changes.withLock { $0.append(change) } }
    }

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let house = WorkspaceID(1)

    private func withServers(
        on kind: StoreKind,
        servers: Int = 2,
        _ body: (Server, Server) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-exchange-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        try await Slots.postgres.run {
            let first = try Server(path, on: kind, servers: servers)
            let second = try Server(path, on: kind, servers: servers)
            // Who begins hears nothing that was told before.
            for server in [first, second] { try await server.exchange.exchange() }
            try await body(first, second)
            for server in [first, second] { try await server.store.close() }
        }
    }

    /// The changes that a server's pages get while something happens.
    private func changes(
        on server: Server,
        while body: () async throws -> Void
    ) async throws -> Set<SharedChange> {
        let stream = server.feed.changes()
        try await body()
        // A mark ends what is asked for.
        let mark = SharedChange.ingested(WorkspaceID(99))
        server.feed.publish(told: [mark])
        var found: Set<SharedChange> = []
        for await change in stream {
            if change == mark { break }
            found.insert(change)
        }
        return found
    }

    @Test(
        "pages of one hear what another one does, once, and its workers wake",
        arguments: StoreKind.available
    )
    func told(kind: StoreKind) async throws {
        try await withServers(on: kind) { first, second in
            let progress = SharedChange.send(SendID(7), Self.house)
            let heard = try await changes(on: second) {
                for _ in 0..<1_000 { first.feed.publish(progress) }
                first.feed.publish(.send(SendID(8), nil))
                first.feed.publish(.ingested(Self.house))
                try await first.exchange.exchange()
                try await second.exchange.exchange()
            }
            #expect(heard == [progress, .send(SendID(8), nil), .ingested(Self.house)])
            #expect(second.wakes == 1)
            // Neither passes it on again, nor hears its own.
            let again = try await changes(on: first) {
                for server in [second, first, second, first] {
                    try await server.exchange.exchange()
                }
            }
            #expect(again == [])
            #expect(first.wakes == 0 && second.wakes == 1)
        }
    }

    @Test(
        "data that arrives moves pages, and wakes nobody who sends",
        arguments: StoreKind.available
    )
    func ingested(kind: StoreKind) async throws {
        try await withServers(on: kind) { first, second in
            let heard = try await changes(on: second) {
                first.feed.publish(.ingested(Self.house))
                try await first.exchange.exchange()
                try await second.exchange.exchange()
            }
            #expect(heard == [.ingested(Self.house)])
            #expect(second.wakes == 0)
        }
    }

    @Test("a server that is alone tells nobody", arguments: StoreKind.available)
    func alone(kind: StoreKind) async throws {
        try await withServers(on: kind, servers: 1) { first, second in
            first.feed.publish(.ingested(Self.house))
            try await first.exchange.exchange()
            let told = try await first.store.sharedChanges(after: 0, besidesThoseOf: UUID())
            #expect(told.changes == [])
            // What happened before another one came is not told later.
            first.share.set(.stand(2))
            let heard = try await changes(on: second) {
                try await first.exchange.exchange()
                try await second.exchange.exchange()
            }
            #expect(heard == [])
        }
    }

    @Test("what could not be told is told when the database is back")
    func trouble() async throws {
        let store = UnsteadyStore()
        let feed = ChangeFeed()
        let share = ServerShare()
        share.set(.stand(3))
        let exchange = ChangeExchange(
            store: store,
            server: UUID(),
            feed: feed,
            share: share,
            now: { Self.now },
            wake: {},
            logger: Logger(label: "test")
        )
        feed.publish(.ingested(Self.house))
        store.isBroken.withLock { $0 = true }
        await #expect(throws: UnsteadyStore.Failure.self) { try await exchange.exchange() }
        feed.publish(.send(SendID(7), nil))
        store.isBroken.withLock { $0 = false }
        try await exchange.exchange()
        #expect(store.told.withLock(\.self) == [.ingested(Self.house), .send(SendID(7), nil)])
    }

    @Test(
        "each runs until the server stops, and then tells what is left",
        arguments: StoreKind.available
    )
    func running(kind: StoreKind) async throws {
        try await withServers(on: kind) { first, second in
            let heard = Heard()
            let stream = second.feed.changes()
            let listener = Task { for await change in stream { heard.add(change) } }
            let group = ServiceGroup(
                services: [first.exchange, second.exchange],
                logger: Logger(label: "test")
            )
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                first.feed.publish(.send(SendID(7), Self.house))
                while heard.count == 0 { try await Task.sleep(for: .milliseconds(2)) }
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
            #expect(heard.all == [.send(SendID(7), Self.house)])
            listener.cancel()
        }
    }
}

/// A store that fails when it is asked to.
private final class UnsteadyStore: ServerStore {
    struct Failure: Error {}

    let isBroken = Mutex(false)
    let told = Mutex<Set<SharedChange>>([])

    func servers() async throws -> [WorkingServer] { [] }

    func removeServers(
        silentFor limit: TimeInterval,
        or isGone: @escaping @Sendable (WorkingServer) -> Bool,
        now: Date
    ) async throws -> (servers: [WorkingServer], dispatches: Int) { ([], 0) }

    func share(_ changes: Set<SharedChange>, from server: UUID, now: Date) async throws {
        if isBroken.withLock(\.self) { throw Failure() }
        told.withLock { $0.formUnion(changes) }
    }

    func sharedChanges(
        after number: Int64?,
        besidesThoseOf server: UUID
    ) async throws -> (changes: Set<SharedChange>, last: Int64) { ([], number ?? 0) }

    func forgetSharedChanges(before moment: Date) async throws {}
}
