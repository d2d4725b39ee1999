import Front
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@Suite("The memory of bodies")
struct BodyBudgetTests {
    private func request(_ parts: [Int], length: Int? = nil) -> Request {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "test", path: "/")
        if let length { head.headerFields[.contentLength] = "\(length)" }
        let stream = AsyncStream(ByteBuffer.self) { continuation in
            for part in parts { continuation.yield(ByteBuffer(repeating: 0x20, count: part)) }
            continuation.finish()
        }
        return Request(head: head, body: RequestBody(asyncSequence: stream))
    }

    @Test("holds what it has when it becomes smaller, and takes more when it grows")
    func changed() {
        let limit = Mutex(100)
        let budget = BodyBudget(limit: { limit.withLock(\.self) })
        let (first, second) = (BodyLease(budget), BodyLease(budget))
        #expect(first.take(80))
        limit.withLock { $0 = 50 }
        #expect(!second.take(1))
        #expect(budget.used == 80)
        limit.withLock { $0 = 200 }
        #expect(second.take(120))
        #expect(!second.take(1))
    }

    @Test("is given back when a body ends, and only then")
    func leases() {
        let budget = BodyBudget(limit: { 100 })
        let first = BodyLease(budget)
        let second = BodyLease(budget)
        #expect(first.take(60))
        #expect(!second.take(41))
        #expect(second.take(40))
        #expect(budget.used == 100)
        first.end()
        first.end()
        #expect(budget.used == 40)
        #expect(second.take(60))
        second.end()
        #expect(budget.used == 0)
    }

    @Test("goes back also when somebody forgets the body")
    func forgotten() {
        let budget = BodyBudget(limit: { 100 })
        #expect(BodyLease(budget).take(100))
        #expect(budget.used == 0)
    }

    @Test("goes from the body that has held the most for the longest to one that comes")
    func eviction() {
        let start = ContinuousClock.now
        let clock = Mutex(start)
        let budget = BodyBudget(limit: { 100 }) { clock.withLock { $0 } }
        let gone = Mutex<[String]>([])
        func lease(_ name: String) -> BodyLease {
            BodyLease(budget) { gone.withLock { $0.append(name) } }
        }
        let (small, complete, large) = (lease("small"), lease("complete"), lease("large"))
        #expect(small.take(10))
        #expect(complete.take(50))
        complete.keep()
        #expect(large.take(40))
        let new = lease("new")
        #expect(!new.take(1))
        // Nobody has been slow yet.
        #expect(!new.makeRoom())
        clock.withLock { $0 = start + .seconds(1) }
        #expect(new.makeRoom())
        #expect(gone.withLock { $0 } == ["large"])
        large.end()
        #expect(new.take(40))
        #expect(!new.take(1))
        #expect(new.makeRoom())
        #expect(gone.withLock { $0 } == ["large", "small"])
        small.end()
        // Who is complete, and who asks, keep their room.
        #expect(!new.makeRoom())
    }

    @Test("of strangers is small, and a long body is refused by its head")
    func strangers() async throws {
        let bodies = StrangerBodies(budget: { 1_000 })
        let short = try await bodies.collect(request([10, 20]), upTo: 100)
        #expect(short.readableBytes == 30)
        await #expect(throws: NIOTooManyBytesError.self) {
            try await bodies.collect(request([], length: 101), upTo: 100)
        }
        await #expect(throws: NIOTooManyBytesError.self) {
            try await bodies.collect(request([60, 60]), upTo: 100)
        }
        await #expect(throws: FrontError.noRoomForStrangers) {
            try await bodies.collect(request([600, 600]), upTo: 5_000)
        }
        // What was refused has given its room back.
        let long = try await bodies.collect(request([500, 500]), upTo: 5_000)
        #expect(long.readableBytes == 1_000)
    }
}
