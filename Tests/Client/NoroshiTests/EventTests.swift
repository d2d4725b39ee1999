import ClientTesting
import Foundation
import Noroshi
import NoroshiWire
import Testing

private struct ViewedItem: Noroshi.Event {
    var sku: String
    var price: Double
    var seen: Date
}

private struct CoursePassed: Noroshi.Event {
    static let name = "course passed"
    var grade: Int?
}

@Suite("Events, purchases and sessions")
struct EventTests {
    let app: SDKFixture

    init() throws {
        app = try SDKFixture()
    }

    @Test("an event keeps the types of its properties, and its time is when it happened")
    func properties() async throws {
        let noroshi = app.launch()
        noroshi.logCustomEvent(
            name: "e",
            properties: [
                "text": "a", "one": 1, "half": 0.5, "yes": true, "no": false,
                "number": NSNumber(value: 1), "truth": NSNumber(value: true),
                "list": [1, "b"], "object": ["k": 2],
                "date": Date(timeIntervalSince1970: 0), "null": NSNull(),
            ]
        )
        app.clock.advance(by: 3600)
        await noroshi.flush()
        let record = try #require(app.ingest.records.first)
        #expect(
            record.event?.properties == [
                "text": "a", "one": 1, "half": 0.5, "yes": true, "no": false, "number": 1,
                "truth": true, "list": [1, "b"], "object": ["k": 2],
                "date": "1970-01-01T00:00:00.000Z", "null": nil,
            ]
        )
        #expect(record.timeMilliseconds == 1_800_000_000_000)
    }

    @Test("a typed event is named after its type or as it says")
    func typed() async throws {
        let noroshi = app.launch()
        noroshi.log(ViewedItem(sku: "A-1", price: 9.5, seen: Date(timeIntervalSince1970: 1)))
        noroshi.log(CoursePassed(grade: nil))
        await noroshi.flush()
        let events = app.ingest.records.compactMap(\.event)
        #expect(events.map(\.name) == ["viewed_item", "course passed"])
        #expect(
            events[0].properties
                == ["sku": "A-1", "price": 9.5, "seen": "1970-01-01T00:00:01.000Z"]
        )
    }

    @Test("a purchase carries product, currency, price and quantity")
    func purchase() async throws {
        let noroshi = app.launch()
        noroshi.logPurchase(productId: "tea", currency: "jpy", price: 480, quantity: 2)
        await noroshi.flush()
        #expect(
            app.ingest.records.first?.content
                == .purchase(
                    product: "tea",
                    currency: "JPY",
                    price: 480,
                    quantity: 2,
                    properties: [:]
                )
        )
    }

    private var sessions: [SDKRecord.Content] {
        app.ingest.records.map(\.content).filter {
            switch $0 {
            case .sessionStarted, .sessionEnded: true
            default: false
            }
        }
    }

    @Test("a short absence keeps the session, a longer one ends it; only the foreground counts")
    func sessionTimeout() async throws {
        let noroshi = app.launch()
        noroshi.applicationDidBecomeActive()
        app.clock.advance(by: 20)
        noroshi.applicationDidEnterBackground()
        app.clock.advance(by: 9)
        noroshi.applicationDidBecomeActive()
        app.clock.advance(by: 5)
        noroshi.applicationDidEnterBackground()
        app.clock.advance(by: 11)
        noroshi.applicationDidBecomeActive()
        await noroshi.flush()
        #expect(sessions == [.sessionStarted, .sessionEnded(duration: 25), .sessionStarted])
        let ids = Set(app.ingest.records.compactMap(\.session))
        #expect(ids.count == 2)
    }

    @Test("a session that died in the foreground ends where it was last seen")
    func sessionAfterCrash() async throws {
        let first = app.launch()
        first.applicationDidBecomeActive()
        app.clock.advance(by: 60)
        first.logCustomEvent(name: "last sign of life")
        app.clock.advance(by: 600)
        let second = app.launch()
        second.applicationDidBecomeActive()
        await second.flush()
        #expect(sessions == [.sessionStarted, .sessionEnded(duration: 60), .sessionStarted])
    }

    @Test("a change of user ends the session of one and starts one of the other")
    func sessionOfUsers() async throws {
        let noroshi = app.launch()
        noroshi.changeUser(userId: "ann")
        let seen = Locked<[NoroshiSessionUpdate]>([])
        let subscription = noroshi.subscribeToSessionUpdates { update in
            seen.withLock { $0.append(update) }
        }
        noroshi.applicationDidBecomeActive()
        app.clock.advance(by: 3)
        noroshi.changeUser(userId: "ben")
        await noroshi.flush()
        #expect(sessions == [.sessionStarted, .sessionEnded(duration: 3), .sessionStarted])
        #expect(
            app.ingest.records.filter { sessions.contains($0.content) }.map(\.user)
                == [.external("ann"), .external("ann"), .external("ben")]
        )
        #expect(seen.withLock { $0.count } == 3)
        subscription.cancel()
        noroshi.changeUser(userId: "cat")
        #expect(seen.withLock { $0.count } == 3)
    }

    @Test("what an older app version left behind is imported once, even after a crash between")
    func legacy() async throws {
        let suite = "noroshi-test-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let email = try PropertyListEncoder().encode(["email": "ann@example.com"])
        let fill = {
            defaults.set(
                [["event_name": "won", "prize": "tea"], ["prize": "nameless"]],
                forKey: "pending_custom_events"
            )
            defaults.set(
                [["level": 3], ["event_name": "misplaced", "x": true]],
                forKey: "pending_custom_attributes"
            )
            defaults.set([email], forKey: "pending_user_attributes")
        }
        fill()
        let noroshi = app.launch()
        #expect(try noroshi.importPendingExtensionData(from: defaults).get() == 4)
        #expect(defaults.object(forKey: "pending_custom_events") == nil)
        #expect(try noroshi.importPendingExtensionData(from: defaults).get() == 0)
        await noroshi.flush()
        let records = app.ingest.records
        #expect(records.compactMap(\.event?.name) == ["won", "misplaced"])
        #expect(records[0].event?.properties == ["prize": "tea"])
        #expect(
            records.compactMap(\.attributes) == [["level": 3], ["email": "ann@example.com"]]
        )
    }
}
