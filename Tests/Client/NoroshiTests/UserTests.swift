import ClientTesting
import Foundation
import Noroshi
import NoroshiWire
import Testing

@Suite("Users")
struct UserTests {
    let app: SDKFixture

    init() throws {
        app = try SDKFixture()
    }

    @Test("a deletion goes to the server after what waits, and only then forgets the user here")
    func deletion() async throws {
        let noroshi = app.launch { $0.api.sdkAuthentication = true }
        noroshi.changeUser(userId: "ann", signature: "token")
        noroshi.logCustomEvent(name: "viewed")
        let device = noroshi.deviceId
        app.ingest.change { $0.nextAnswers = [nil] }
        await noroshi.flush()
        let refusal = NoroshiResponse(status: 403, body: Data(#"{"message": "no keys"}"#.utf8))
        app.clock.advance(by: 600)
        await noroshi.flush()
        app.ingest.change { $0.nextAnswers = [refusal] }
        await #expect(throws: NoroshiError(code: .server, message: "no keys")) {
            try await noroshi.deleteUserData()
        }
        #expect(noroshi.user.id == "ann")
        #expect(noroshi.deviceId == device)
        app.ingest.change { $0.nextAnswers = [NoroshiResponse(status: 200)] }
        try await noroshi.deleteUserData()
        let request = try #require(app.ingest.read(\.requests).last)
        #expect(request.url.path == "/sdk/v1/users/delete")
        let wish = try JSONDecoder().decode(SDKDeletion.self, from: try #require(request.body))
        #expect(wish.user == .external("ann"))
        #expect(wish.signature == "token")
        #expect(wish.device.uuidString == device)
        #expect(app.ingest.records.contains { $0.event?.name == "viewed" })
        #expect(noroshi.user.id == nil)
        #expect(noroshi.deviceId != device)
        #expect(noroshi.pendingRecordCount == 0)
        // Recording goes on, for somebody else.
        noroshi.logCustomEvent(name: "later")
        await noroshi.flush()
        #expect(app.ingest.records.last?.user != .external("ann"))
    }

    @Test("what was recorded before a change of user stays with the user who made it")
    func changeWhileOffline() async throws {
        let noroshi = app.launch()
        noroshi.logCustomEvent(name: "nameless")
        noroshi.changeUser(userId: "ann")
        noroshi.logCustomEvent(name: "by ann")
        noroshi.changeUser(userId: "ben")
        noroshi.user.set(firstName: "Ben")
        await noroshi.flush()
        let records = app.ingest.records
        let anonymous = try #require(records.first?.user)
        #expect(anonymous != .external("ann"))
        #expect(
            records.map(\.user) == [
                anonymous, .external("ann"), .external("ann"), .external("ben"), .external("ben"),
            ]
        )
        #expect(records[1].content == .userChanged(previous: anonymous))
        #expect(records[3].content == .userChanged(previous: .external("ann")))
    }

    @Test("the user is known again after a new launch; the same name changes nothing")
    func relaunch() async throws {
        app.launch().changeUser(userId: "ann")
        let noroshi = app.launch()
        #expect(noroshi.user.id == "ann")
        #expect(try noroshi.changeUser(userId: "ann").get() == nil)
        #expect(noroshi.pendingRecordCount == 1)
    }

    @Test("the push token follows the user")
    func tokenFollows() async throws {
        let noroshi = app.launch()
        noroshi.notifications.register(deviceToken: Data([0x0A, 0xFF]))
        #expect(await eventually { noroshi.notifications.deviceToken == "0aff" })
        noroshi.changeUser(userId: "ann")
        await noroshi.flush()
        let owners = app.ingest.records.filter {
            if case .pushToken = $0.content { true } else { false }
        }.map(\.user)
        #expect(owners.count == 2)
        #expect(owners.last == .external("ann"))
    }

    @Test("standard fields, subscriptions and aliases have the names of the wire")
    func standardFields() async throws {
        let noroshi = app.launch()
        noroshi.user.set(firstName: "Ann")
        noroshi.user.set(lastName: nil)
        noroshi.user.set(email: "ann@example.com")
        noroshi.user.set(phoneNumber: "+81312345678")
        noroshi.user.set(dateOfBirth: Date(timeIntervalSince1970: 0))
        noroshi.user.set(country: "jp")
        noroshi.user.set(language: "ja")
        noroshi.user.set(homeCity: "Okayama")
        noroshi.user.set(gender: .preferNotToSay)
        noroshi.user.set(emailSubscriptionState: .unsubscribed)
        noroshi.user.set(pushNotificationSubscriptionState: .optedIn)
        noroshi.user.add(alias: "4711", label: "loyalty")
        noroshi.user.addToSubscriptionGroup(id: "news")
        noroshi.user.setLastKnownLocation(latitude: 34.66, longitude: 133.93)
        await noroshi.flush()
        let attributes = app.ingest.records.compactMap(\.attributes)
            .reduce(into: [String: JSONValue]()) { $0.merge($1) { $1 } }
        #expect(
            attributes == [
                "first_name": "Ann", "last_name": nil, "email": "ann@example.com",
                "phone": "+81312345678", "dob": "1970-01-01", "country": "JP", "language": "ja",
                "home_city": "Okayama", "gender": "P", "email_subscribe": "unsubscribed",
                "push_subscribe": "opted_in",
                "subscription_groups": [
                    ["subscription_group_id": "news", "subscription_state": "subscribed"]
                ],
                "current_location": ["latitude": 34.66, "longitude": 133.93],
            ]
        )
        #expect(
            app.ingest.records.contains { $0.content == .alias(name: "4711", label: "loyalty") }
        )
    }

    @Test("custom attributes of all types, with the operations of /users/track")
    func customAttributes() async throws {
        let noroshi = app.launch()
        let user = noroshi.user
        user.setCustomAttribute(key: "plan", value: "gold")
        user.setCustomAttribute(key: "visits", value: 1)
        user.setCustomAttribute(key: "ratio", value: 0.5)
        user.setCustomAttribute(key: "vip", value: true)
        user.setCustomAttribute(key: "joined", value: Date(timeIntervalSince1970: 0.25))
        user.setCustomAttribute(key: "teams", array: ["a", "b"])
        user.addToCustomAttributeStringArray(key: "teams2", value: "c")
        user.removeFromCustomAttributeStringArray(key: "teams3", value: "d")
        user.incrementCustomUserAttribute(key: "count", by: -2)
        user.setCustomAttribute(key: "cars", array: [["make": "Mazda", "year": 1989]])
        user.setCustomAttribute(key: "address", dictionary: ["zip": "700", "floor": nil])
        user.unsetCustomAttribute(key: "old")
        user.setCustomAttribute(key: "merged", dictionary: ["a": 1], merge: true)
        await noroshi.flush()
        let attributes = app.ingest.records.compactMap(\.attributes)
        #expect(
            attributes == [
                ["plan": "gold"], ["visits": 1], ["ratio": 0.5], ["vip": true],
                ["joined": "1970-01-01T00:00:00.250Z"], ["teams": ["a", "b"]],
                ["teams2": ["add": ["c"]]], ["teams3": ["remove": ["d"]]],
                ["count": ["inc": -2]], ["cars": [["make": "Mazda", "year": 1989]]],
                ["address": ["zip": "700", "floor": nil]], ["old": nil], ["merged": ["a": 1]],
            ]
        )
        #expect(
            app.ingest.records.last?.content
                == .attributes(["merged": ["a": 1]], mergeObjects: true)
        )
    }

    @Test("input beyond a limit is refused with the field and the reason, and not recorded")
    func limits() throws {
        let noroshi = app.launch()
        let user = noroshi.user
        let long = String(repeating: "x", count: 256)
        let failures: [(Result<UUID, NoroshiError>, String)] = [
            (user.set(email: "ann"), "email"),
            (user.set(phoneNumber: "none"), "phoneNumber"),
            (user.set(country: "Japan"), "country"),
            (user.set(firstName: long), "first_name"),
            (user.setCustomAttribute(key: "", value: 1), "key"),
            (user.setCustomAttribute(key: "$a", value: 1), "key"),
            (user.setCustomAttribute(key: long, value: 1), "key"),
            (user.setCustomAttribute(key: "email", value: "a@b.c"), "key"),
            (user.setCustomAttribute(key: "a", value: long), "a"),
            (user.setCustomAttribute(key: "a", value: Double.nan), "a"),
            (user.setCustomAttribute(key: "a", array: ["ok", long]), "a[1]"),
            (user.setCustomAttribute(key: "a", dictionary: ["b": Data()]), "a"),
            (user.add(alias: "", label: "l"), "alias"),
            (user.setLastKnownLocation(latitude: 91, longitude: 0), "latitude, longitude"),
            (noroshi.logCustomEvent(name: ""), "name"),
            (noroshi.logCustomEvent(name: "e", properties: ["time": 1]), "properties.time"),
            (noroshi.logCustomEvent(name: "e", properties: [1: 1]), "properties"),
            (noroshi.logCustomEvent(name: "e", properties: ["p": long]), "properties.p"),
            (
                noroshi.logCustomEvent(
                    name: "e",
                    properties: ["p": [String](repeating: "yyyyyyyyy", count: 10_000)]
                ), "properties"
            ),
            (noroshi.logPurchase(productId: "p", currency: "yen!", price: 1), "currency"),
            (noroshi.logPurchase(productId: "p", currency: "JPY", price: .infinity), "price"),
            (
                noroshi.logPurchase(productId: "p", currency: "JPY", price: 1, quantity: 101),
                "quantity"
            ),
        ]
        for (index, (result, field)) in failures.enumerated() {
            #expect(throws: NoroshiError.self, "\(index)") { try result.get() }
            if case .failure(let error) = result {
                #expect(error.code == .invalidInput)
                #expect(error.field == field)
            }
        }
        #expect(throws: NoroshiError.self) { try noroshi.changeUser(userId: "").get() }
        #expect(noroshi.pendingRecordCount == 0)
        #expect(app.lines.withLock { $0.count } == failures.count + 1)
    }

    @Test("the e-mail address set here can be read back, and belongs to its user")
    func readingBack() {
        let noroshi = app.launch()
        noroshi.user.email = "ann@example.com"
        #expect(noroshi.user.email == "ann@example.com")
        noroshi.changeUser(userId: "ben")
        #expect(noroshi.user.email == nil)
    }

    @Test("switched off, nothing is recorded or sent; wiped, it is a new installation")
    func consent() async throws {
        app.isActive.withLock { $0 = false }
        let noroshi = app.launch()
        noroshi.logCustomEvent(name: "before")
        noroshi.enabled = false
        #expect(app.launch().enabled == false)
        let refused = noroshi.logCustomEvent(name: "while off")
        #expect(throws: NoroshiError.self) { try refused.get() }
        await noroshi.flush()
        #expect(app.ingest.records.isEmpty)
        noroshi.enabled = true
        await noroshi.flush()
        #expect(app.ingest.records.map { $0.event?.name } == ["before"])
        let device = noroshi.deviceId
        noroshi.changeUser(userId: "ann")
        noroshi.wipeData()
        #expect(noroshi.pendingRecordCount == 0)
        #expect(noroshi.user.id == nil)
        #expect(noroshi.deviceId != device)
    }

    @Test("a log-out forgets the token at the server, then everything here")
    func logout() async throws {
        let noroshi = app.launch()
        noroshi.changeUser(userId: "ann")
        await noroshi.logout()
        #expect(app.ingest.records.last?.content == .pushTokenCleared)
        #expect(noroshi.enabled == false)
        #expect(noroshi.user.id == nil)
    }
}
