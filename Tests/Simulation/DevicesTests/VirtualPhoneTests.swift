import ClientTesting
import Devices
import Foundation
import NoroshiWire
import Testing

@Suite("A virtual phone")
struct VirtualPhoneTests {
    let folder: TemporaryFolder
    let ingest = Ingest()
    let service = LocalPushService()

    init() throws {
        folder = try TemporaryFolder()
    }

    func phone(
        _ change: (inout VirtualPhoneSettings) -> Void = { _ in }
    ) -> VirtualPhone {
        var settings = VirtualPhoneSettings(
            id: UUID(),
            name: "Test phone",
            appName: "Tea House",
            topic: "com.example.tea",
            apiKey: "key",
            endpoint: "http://127.0.0.1",
            container: folder.url
        )
        settings.transport = ingest
        settings.flushInterval = 0.01
        settings.serviceExtensionTime = 2
        change(&settings)
        return VirtualPhone(settings: settings, service: service)
    }

    func payload(
        dispatch: UUID = UUID(),
        title: String = "Hello",
        marker: [String: JSONValue] = [:],
        aps: [String: JSONValue] = [:],
        values: [String: JSONValue] = ["push_no": "42"]
    ) throws -> Data {
        var payload = values
        payload["noroshi"] = .object(
            marker.merging(["dispatch_id": .string(dispatch.uuidString)]) { $1 }
        )
        payload["aps"] = .object(
            aps.merging(["alert": ["title": .string(title), "body": "Tea is ready"]]) { $1 }
        )
        return try JSONEncoder().encode(payload)
    }

    func started(
        _ change: (inout VirtualPhoneSettings) -> Void = { _ in }
    ) async throws -> VirtualPhone {
        let phone = phone(change)
        await phone.start()
        #expect(await eventually { await phone.state.deviceToken != nil })
        #expect(await eventually { tokens.count == 1 })
        return phone
    }

    private var tokens: [SDKRecord.PushToken] {
        ingest.records.compactMap { record in
            if case .pushToken(let token) = record.content { token } else { nil }
        }
    }

    private var interactions: [SDKRecord.PushInteraction] { ingest.records.compactMap(\.push) }

    @Test("it asks for permission, registers its token and starts a session")
    func registration() async throws {
        let phone = try await started { $0.user = "ann" }
        let state = await phone.state
        #expect(state.authorization == "authorized")
        #expect(state.appState == .foreground)
        #expect(state.user == "ann")
        #expect(tokens.first?.token == state.deviceToken)
        #expect(tokens.first?.authorization == "authorized")
        #expect(tokens.first?.environment == "sandbox")
        #expect(await eventually { ingest.records.contains { $0.content == .sessionStarted } })
        #expect(ingest.records.contains { $0.attributes == ["push_subscribe": "opted_in"] })
        await phone.stop()
    }

    @Test("a push appears on the locked phone, and a tap is a direct open with push_no, once")
    func tap() async throws {
        let phone = try await started()
        try await phone.perform(.lock)
        let push = PhonePush(
            payload: try payload(
                marker: ["uri": "tea://menu"],
                aps: ["badge": 3, "mutable-content": 1]
            ),
            id: UUID()
        )
        await phone.receive(push)
        let banner = try #require(await phone.state.banners.first)
        #expect(banner.title == "Hello")
        #expect(banner.body == "Tea is ready")
        #expect(await phone.state.badge == 3)
        #expect(await eventually { interactions.map(\.kind) == [.received] })
        try await phone.perform(.tap(banner: banner.id))
        #expect(await eventually { interactions.map(\.kind) == [.received, .opened] })
        #expect(interactions.allSatisfy { $0.pushNumber == 42 })
        #expect(await eventually { await phone.state.lastOpenedURL == "tea://menu" })
        #expect(await phone.state.appState == .foreground)
        #expect(await phone.state.banners.isEmpty)
        await phone.stop()
    }

    @Test("what is done in the shop is logged with its properties, for whoever does it")
    func shop() async throws {
        let phone = try await started { $0.user = "ann" }
        try await phone.perform(.shop(.view(tea: "Assam")))
        try await phone.perform(.shop(.addToCart))
        try await phone.perform(.shop(.view(tea: "Mate")))
        try await phone.perform(.shop(.addToCart))
        #expect(await phone.state.shop.total == 9.5)
        try await phone.perform(.shop(.buy))
        #expect(await phone.state.shop.cart.isEmpty)
        #expect(
            await eventually {
                let events = ingest.records.compactMap(\.event)
                return events.map(\.name) == [
                    "viewed_tea", "added_to_cart", "viewed_tea", "added_to_cart",
                ]
                    && events.last?.properties == ["tea": "Mate", "total": 9.5]
            }
        )
        let bought = {
            ingest.records.compactMap { record -> String? in
                guard case .purchase(let product, "USD", _, 1, _) = record.content else {
                    return nil
                }
                return product
            }
        }
        #expect(await eventually { bought() == ["Assam", "Mate"] })
        for wrong in [ShopAction.buy, .view(tea: "Coffee")] {
            await #expect(throws: VirtualPhoneError.self) { try await phone.perform(.shop(wrong)) }
        }
        // The next guest is nobody until they sign up, and gets pushes too.
        try await phone.perform(.logOut)
        #expect(await phone.state.user == nil)
        #expect(await eventually { tokens.count >= 2 })
        try await phone.perform(.shop(.signUp(user: "ben")))
        #expect(await phone.state.user == "ben")
        #expect(
            await eventually {
                ingest.records.last { $0.event?.name == "signed_up" }?.user == .external("ben")
            }
        )
        await phone.stop()
    }

    @Test("a story is paged on the lock screen; a tap on a page is an open of that page")
    func story() async throws {
        let phone = try await started()
        try await phone.perform(.lock)
        let story: JSONValue = .array(
            (1...4).map { number in
                [
                    "image": .string("http://127.0.0.1:9/\(number).png"),
                    "title": .string("Tea \(number)"), "uri": .string("tea://\(number)"),
                ]
            }
        )
        await phone.receive(
            PhonePush(
                payload: try payload(
                    marker: ["story": story, "uri": "tea://menu"],
                    aps: ["mutable-content": 1, "category": "noroshi_story"]
                ),
                id: UUID()
            )
        )
        let banner = try #require(await phone.state.banners.first)
        #expect(banner.story?.pages.map(\.title) == ["Tea 1", "Tea 2", "Tea 3", "Tea 4"])
        #expect(banner.story?.number == 1)
        #expect(banner.story?.isAdvancing == true)
        for (turn, page) in [(StoryTurn.byItself, 2), (.forward, 3), (.byItself, 3), (.back, 2)] {
            try await phone.perform(.turnPage(banner: banner.id, turn))
            #expect(await phone.state.banners.first?.story?.number == page)
        }
        try await phone.perform(.tapPage(banner: banner.id))
        #expect(await eventually { interactions.map(\.kind) == [.received, .opened] })
        #expect(interactions.map(\.page) == [nil, 2])
        #expect(await eventually { await phone.state.lastOpenedURL == "tea://2" })
        #expect(await phone.state.banners.isEmpty)
        await #expect(throws: VirtualPhoneError.self) {
            try await phone.perform(.tapPage(banner: banner.id))
        }
        await phone.stop()
    }

    @Test("a tap on a phone whose app does not run starts it, and the deep link arrives")
    func coldStart() async throws {
        let phone = try await started()
        try await phone.perform(.quitApp)
        await phone.receive(
            PhonePush(payload: try payload(marker: ["uri": "tea://menu"]), id: UUID())
        )
        #expect(await phone.state.appState == .stopped)
        let banner = try #require(await phone.state.banners.first)
        try await phone.perform(.tap(banner: banner.id))
        #expect(await eventually { await phone.state.lastOpenedURL == "tea://menu" })
        #expect(await eventually { interactions.map(\.kind) == [.opened] })
        await phone.stop()
    }

    @Test("a push that is sent again takes the place of the first and is received once")
    func repeated() async throws {
        let phone = try await started()
        try await phone.perform(.lock)
        let dispatch = UUID()
        let first = PhonePush(
            payload: try payload(dispatch: dispatch, aps: ["mutable-content": 1]),
            id: dispatch
        )
        await phone.receive(first)
        await phone.receive(first)
        #expect(await phone.state.banners.count == 1)
        #expect(await eventually { interactions.count == 1 })
        await phone.receive(
            PhonePush(payload: try payload(title: "A"), id: UUID(), collapseID: "x")
        )
        await phone.receive(
            PhonePush(payload: try payload(title: "B"), id: UUID(), collapseID: "x")
        )
        #expect(await phone.state.banners.map(\.title) == ["B", "Hello"])
        await phone.stop()
    }

    @Test("buttons, typed text and dismissals are told apart")
    func buttons() async throws {
        let phone = try await started()
        try await phone.perform(.lock)
        let accepting = try payload(
            marker: ["action_uris": ["noroshi_accept": "tea://accepted"]],
            aps: ["category": "noroshi_accept_decline"]
        )
        for _ in 0..<3 { await phone.receive(PhonePush(payload: accepting, id: UUID())) }
        let banners = await phone.state.banners
        #expect(banners[0].buttons.map(\.id) == ["noroshi_accept", "noroshi_decline"])
        // Three copies of one dispatch: each kind of interaction is recorded once.
        try await phone.perform(
            .button(banner: banners[0].id, button: "noroshi_decline", text: nil)
        )
        #expect(await phone.state.appState == .background)
        try await phone.perform(.dismiss(banner: banners[1].id))
        try await phone.perform(.button(banner: banners[2].id, button: "noroshi_accept", text: nil))
        #expect(await eventually { await phone.state.lastOpenedURL == "tea://accepted" })
        #expect(
            await eventually {
                interactions.map(\.kind) == [.action, .dismissed, .action, .opened]
            }
        )
        #expect(interactions.compactMap(\.action) == ["noroshi_decline", "noroshi_accept"])
        await #expect(throws: VirtualPhoneError.self) {
            try await phone.perform(.tap(banner: banners[0].id))
        }
        await phone.stop()
    }

    @Test("offline, records wait, and the push service delivers the newest push later")
    func offline() async throws {
        let phone = try await started()
        try await phone.perform(.goOffline)
        try await phone.perform(.logEvent(name: "poured"))
        await phone.receive(PhonePush(payload: try payload(title: "Old"), id: UUID()))
        await phone.receive(PhonePush(payload: try payload(title: "New"), id: UUID()))
        #expect(await phone.state.banners.isEmpty)
        #expect(await phone.state.pendingRecords > 0)
        try await phone.perform(.goOnline)
        #expect(await phone.state.banners.map(\.title) == ["New"])
        #expect(await eventually { ingest.records.contains { $0.event?.name == "poured" } })
        await phone.stop()
    }

    @Test("pushes travel through the push service; foreign ones are shown and not measured")
    func foreign() async throws {
        let phone = try await started()
        try await phone.perform(.lock)
        let token = try await service.register(topic: "com.example.tea", device: phone.id)
        let foreign = Data(#"{"aps":{"alert":"From somebody else","mutable-content":1}}"#.utf8)
        await service.send(PhonePush(payload: foreign, id: UUID()), to: token)
        #expect(await eventually { await phone.state.banners.count == 1 })
        let banner = try #require(await phone.state.banners.first)
        #expect(banner.title == "Tea House")
        try await phone.perform(.tap(banner: banner.id))
        #expect(interactions.isEmpty)
        await phone.stop()
    }

    @Test("without permission nothing is shown; the question can wait for an answer")
    func permission() async throws {
        let phone = phone { $0.permission = .wait }
        await phone.start()
        #expect(await eventually { await phone.state.asksPermission })
        await phone.receive(PhonePush(payload: try payload(), id: UUID()))
        #expect(await phone.state.banners.isEmpty)
        try await phone.perform(.answerPermission(true))
        #expect(await eventually { await phone.state.deviceToken != nil })
        await phone.stop()
    }

    @Test("a page sees every last state, encoded as JSON")
    func states() async throws {
        let phone = try await started()
        let stream = await phone.states()
        try await phone.perform(.changeLanguage("pt"))
        for await state in stream where state.language == "pt" {
            let data = try JSONEncoder().encode(state)
            #expect(try JSONDecoder().decode(VirtualPhoneState.self, from: data) == state)
            break
        }
        #expect(await eventually { ingest.records.contains { $0.attributes?["language"] == "pt" } })
        await phone.stop()
    }
}
