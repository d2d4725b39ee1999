import ClientTesting
import Foundation
import Noroshi
import NoroshiOutbox
import NoroshiWire
import Testing
import UserNotifications

@Suite("Notifications")
struct NotificationTests {
    let app: SDKFixture

    init() throws {
        app = try SDKFixture()
    }

    private var interactions: [SDKRecord.PushInteraction] {
        app.ingest.records.compactMap(\.push)
    }

    private func response(
        _ userInfo: [AnyHashable: Any],
        action: String = UNNotificationDefaultActionIdentifier
    ) -> UNNotificationResponse {
        UNNotificationResponse(
            shimNotification: notification(userInfo),
            actionIdentifier: action
        )
    }

    private func notification(_ userInfo: [AnyHashable: Any]) -> UNNotification {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        return UNNotification(
            shimRequest: UNNotificationRequest(
                identifier: "n",
                content: content,
                trigger: nil
            ),
            date: app.clock.now
        )
    }

    @Test("foreign payloads are left alone, and no handler of theirs is called", arguments: 0..<5)
    func foreign(index: Int) async throws {
        let foreign: [[AnyHashable: Any]] = [
            ["aps": ["alert": "x"]],
            ["noroshi": "text of another provider"],
            ["noroshi": ["dispatch_id": "not an id"]],
            ["noroshi": ["uri": "tea://menu"]],
            [1: 2],
        ]
        let noroshi = app.launch()
        let userInfo = foreign[index]
        var isCalled = false
        #expect(
            !noroshi.notifications.handleUserNotification(response: response(userInfo)) {
                isCalled = true
            }
        )
        #expect(
            !noroshi.notifications.handleBackgroundNotification(userInfo: userInfo) { _ in
                isCalled = true
            }
        )
        #expect(
            !noroshi.notifications.handleForegroundNotification(
                notification: notification(userInfo)
            )
        )
        #expect(!Noroshi.Notifications.isNoroshiNotification(userInfo))
        #expect(!isCalled)
        #expect(noroshi.pendingRecordCount == 0)
    }

    @Test("received, opened and dismissed are recorded once for each dispatch")
    func once() async throws {
        let noroshi = app.launch()
        let dispatch = UUID()
        let userInfo: [AnyHashable: Any] = [
            "noroshi": ["dispatch_id": dispatch.uuidString], "push_no": "7",
        ]
        let calls = Locked(0)
        let count: @Sendable () -> Void = { calls.withLock { $0 += 1 } }
        for _ in 0..<2 {
            noroshi.notifications.handleForegroundNotification(
                notification: notification(userInfo)
            )
            noroshi.notifications.handleBackgroundNotification(userInfo: userInfo) { _ in count() }
            noroshi.notifications.handleUserNotification(
                response: response(userInfo),
                withCompletionHandler: count
            )
            noroshi.notifications.handleUserNotification(
                response: response(userInfo, action: UNNotificationDismissActionIdentifier),
                withCompletionHandler: count
            )
        }
        await noroshi.flush()
        #expect(interactions.map(\.kind) == [.received, .opened, .dismissed])
        #expect(interactions.allSatisfy { $0.dispatch == dispatch && $0.pushNumber == 7 })
        #expect(await eventually { calls.withLock { $0 } == 6 })
    }

    @Test("a message of Firebase is handled like a push of Apple's")
    func firebase() async throws {
        let noroshi = app.launch()
        let message = try SDKFixture.message(marker: ["uri": "https://example.com/menu"])
        #expect(noroshi.notifications.handleRemoteMessage(message))
        #expect(noroshi.notifications.handleTap(onRemoteMessage: message))
        #expect(!noroshi.notifications.handleRemoteMessage(["from": "somebody else"]))
        await noroshi.flush()
        #expect(interactions.map(\.kind) == [.received, .opened])
        #expect(await eventually { app.opened.withLock { $0.map(\.path) == ["/menu"] } })
    }

    @Test("the page of a story that was tapped goes with the open, and its link is followed")
    func storyPage() async throws {
        let noroshi = app.launch()
        let story: JSONValue = [
            ["image": "https://example.com/1.png", "uri": "tea://1"],
            ["image": "https://example.com/2.png"],
            ["image": "https://example.com/3.png", "uri": "tea://3"],
        ]
        func message() throws -> [String: String] {
            try SDKFixture.message(marker: ["uri": "tea://push", "story": story])
        }
        let pages = Locked<[Int?]>([])
        let updates = noroshi.notifications.subscribeToUpdates(payloadTypes: [.opened]) { payload in
            pages.withLock { $0.append(payload.storyPage) }
        }
        // Of a page, of one without a link, of the notification itself, and of a page there is not.
        for page in [3, 2, nil, 4] {
            #expect(
                noroshi.notifications.handleTap(onRemoteMessage: try message(), storyPage: page)
            )
        }
        let again = try message()
        noroshi.notifications.handleTap(onRemoteMessage: again, storyPage: 1)
        noroshi.notifications.handleTap(onRemoteMessage: again)
        await noroshi.flush()
        #expect(interactions.map(\.kind) == Array(repeating: .opened, count: 5))
        #expect(interactions.map(\.page) == [3, 2, nil, nil, 1])
        #expect(pages.withLock { $0 } == [3, 2, nil, nil, 1])
        let links = ["tea://3", "tea://push", "tea://push", "tea://push", "tea://1", "tea://push"]
        #expect(await eventually { app.opened.withLock { $0.map(\.absoluteString) == links } })
        _ = updates
    }

    @Test("links are opened in the order of the taps, however long the system takes for one")
    func order() async throws {
        app.slowLink.withLock { $0 = URL(string: "tea://1") }
        let noroshi = app.launch()
        for number in 1...3 {
            let message = try SDKFixture.message(marker: ["uri": .string("tea://\(number)")])
            noroshi.notifications.handleTap(onRemoteMessage: message)
            // Later taps come while the first link is being opened.
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        #expect(await eventually { app.opened.withLock { $0.count == 3 } })
        let links = app.opened.withLock { $0.map(\.absoluteString) }
        #expect(links == ["tea://1", "tea://2", "tea://3"])
    }

    @Test("a button that opens the app is an action and an open, another one only an action")
    func buttons() async throws {
        let noroshi = app.launch()
        let first = try SDKFixture.message(marker: ["action_uris": ["buy": "tea://buy"]])
        noroshi.notifications.handleTap(onRemoteMessage: first, action: "buy")
        noroshi.notifications.handleTap(onRemoteMessage: first, action: "later")
        let second = try SDKFixture.message()
        noroshi.notifications.handleTap(onRemoteMessage: second, action: "noroshi_yes")
        await noroshi.flush()
        #expect(interactions.map(\.kind) == [.action, .opened, .action, .action, .opened])
        #expect(interactions.map(\.action) == ["buy", nil, "later", "noroshi_yes", nil])
        #expect(
            await eventually { app.opened.withLock { $0.map(\.absoluteString) == ["tea://buy"] } }
        )
    }

    @Test("a link waits at a cold start until the app is active, and is opened once")
    func coldStart() async throws {
        app.isActive.withLock { $0 = false }
        let noroshi = app.launch()
        let message = try SDKFixture.message(marker: ["uri": "tea://menu"])
        noroshi.notifications.handleTap(onRemoteMessage: message)
        await settle()
        #expect(app.opened.withLock { $0.isEmpty })
        app.isActive.withLock { $0 = true }
        noroshi.applicationDidBecomeActive()
        #expect(await eventually { app.opened.withLock { $0.count == 1 } })
        noroshi.applicationDidBecomeActive()
        await settle()
        #expect(app.opened.withLock { $0.count } == 1)
    }

    @Test("a link waits for the app's handler, which gets it with the key-value pairs")
    func handler() async throws {
        let noroshi = app.launch { $0.push.linkHandling = .handler }
        let message = try SDKFixture.message(
            marker: ["uri": "tea://menu", "use_webview": true],
            values: ["colour": "green"]
        )
        noroshi.notifications.handleTap(onRemoteMessage: message)
        await settle()
        let contexts = Locked<[NoroshiURLContext]>([])
        noroshi.notifications.setLinkHandler { context in contexts.withLock { $0.append(context) } }
        #expect(await eventually { contexts.withLock { $0.count == 1 } })
        let context = try #require(contexts.withLock { $0.first })
        #expect(context.url.absoluteString == "tea://menu")
        #expect(context.useWebView)
        #expect(context.extras == ["colour": "green"])
        #expect(app.opened.withLock { $0.isEmpty })
    }

    @Test("the delegate may deal with an address itself")
    func delegate() async throws {
        let delegate = RefusingDelegate()
        let noroshi = app.launch()
        noroshi.delegate = delegate
        let message = try SDKFixture.message(marker: ["uri": "tea://menu"])
        noroshi.notifications.handleTap(onRemoteMessage: message)
        #expect(await eventually { delegate.seen.withLock { $0.count == 1 } })
        #expect(app.opened.withLock { $0.isEmpty })
    }

    @Test("subscribers hear of what they asked for, with the parts of the notification")
    func updates() async throws {
        let noroshi = app.launch()
        let payloads = Locked<[Noroshi.Notifications.Payload]>([])
        let subscription = noroshi.notifications.subscribeToUpdates(payloadTypes: [.opened]) {
            payload in payloads.withLock { $0.append(payload) }
        }
        let userInfo: [AnyHashable: Any] = [
            "noroshi": ["dispatch_id": UUID().uuidString, "uri": "tea://menu"],
            "push_no": "7", "colour": "green",
            "aps": ["alert": ["title": "T", "subtitle": "S", "body": "B"], "badge": 2],
        ]
        noroshi.notifications.handleForegroundNotification(notification: notification(userInfo))
        noroshi.notifications.handleUserNotification(response: response(userInfo)) {}
        let payload = try #require(payloads.withLock { $0.count == 1 ? $0.first : nil })
        #expect(payload.type == .opened)
        #expect([payload.title, payload.subtitle, payload.body] == ["T", "S", "B"])
        #expect(payload.badge == 2)
        #expect(payload.pushNumber == 7)
        #expect(payload.extras["colour"] == "green")
        #expect(payload.urlContext?.url.absoluteString == "tea://menu")
        subscription.cancel()
    }

    @Test("a changed permission registers the token again, and the first consent opts in once")
    func permission() async throws {
        app.authorization.withLock { $0 = "provisional" }
        let noroshi = app.launch()
        noroshi.notifications.register(deviceToken: Data([1]))
        #expect(await eventually { noroshi.notifications.deviceToken != nil })
        app.authorization.withLock { $0 = "authorized" }
        noroshi.applicationDidBecomeActive()
        #expect(
            await eventually {
                await noroshi.flush()
                return app.ingest.records.contains {
                    $0.attributes == ["push_subscribe": "opted_in"]
                }
            }
        )
        let authorizations = app.ingest.records.compactMap { record in
            if case .pushToken(let token) = record.content { token.authorization } else { nil }
        }
        #expect(authorizations == ["provisional", "authorized"])
    }

    @Test("the forms with async record, and say whose the notification is")
    func asynchronous() async throws {
        let noroshi = app.launch()
        let userInfo: [AnyHashable: Any] = ["noroshi": ["dispatch_id": UUID().uuidString]]
        #expect(await noroshi.notifications.handleBackgroundNotification(userInfo: userInfo))
        #expect(await noroshi.notifications.handleUserNotification(response: response(userInfo)))
        #expect(await !noroshi.notifications.handleBackgroundNotification(userInfo: ["a": 1]))
        #expect(await !noroshi.notifications.handleUserNotification(response: response(["a": 1])))
        await noroshi.flush()
        #expect(interactions.map(\.kind) == [.received, .opened])
    }

    @Test("the ready delegate handles Noroshi's notifications and lets all be shown")
    func readyDelegate() async throws {
        let noroshi = app.launch()
        let delegate = NoroshiNotificationDelegate(noroshi, presentation: [.banner])
        let center = UNUserNotificationCenter(shimName: "ready")
        let calls = Locked<[UInt]>([])
        for userInfo: [AnyHashable: Any] in [
            ["noroshi": ["dispatch_id": UUID().uuidString]], ["a": 1],
        ] {
            delegate.userNotificationCenter(center, willPresent: notification(userInfo)) { shown in
                calls.withLock { $0.append(shown.rawValue) }
            }
            delegate.userNotificationCenter(center, didReceive: response(userInfo)) {
                calls.withLock { $0.append(0) }
            }
        }
        #expect(await eventually { calls.withLock { $0.sorted() } == [0, 0, 16, 16] })
        await noroshi.flush()
        #expect(interactions.map(\.kind) == [.received, .opened])
    }

    @Test("a primer comes before the system's prompt, for those who were not asked yet")
    func primer() async throws {
        app.authorization.withLock { $0 = "notDetermined" }
        let noroshi = app.launch()
        let primer = InAppMessage(
            id: "primer",
            kind: .modal,
            message: "We call when your tea is ready.",
            rules: InAppMessageRules(triggers: [])
        )
        #expect(await !noroshi.notifications.requestAuthorization(primer: primer))
        #expect(noroshi.inAppMessages.waitingCount == 1)
        app.authorization.withLock { $0 = "denied" }
        _ = await noroshi.notifications.requestAuthorization(primer: primer)
        #expect(noroshi.inAppMessages.waitingCount == 1)
    }

    @Test("declared categories stay beside those of others, also of a call at the same time")
    func categories() async {
        let noroshi = app.launch()
        let center = UNUserNotificationCenter(shimName: "test")
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "other", actions: [], intentIdentifiers: [])
        ])
        for index in 0..<8 {
            noroshi.notifications.declare(
                [
                    UNNotificationCategory(
                        identifier: "own\(index)",
                        actions: [],
                        intentIdentifiers: []
                    )
                ],
                with: center
            )
        }
        noroshi.notifications.declare(Noroshi.Notifications.categories, with: center)
        let names =
            [
                "other", "noroshi_accept_decline", "noroshi_yes_no", "noroshi_confirm_cancel",
                "noroshi_more",
            ] + (0..<8).map { "own\($0)" }
        #expect(await eventually { names.allSatisfy { center.shimCategory($0) != nil } })
    }

    /// Lets work on the main actor that is under way come to its end.
    private func settle() async {
        for _ in 0..<20 { await MainActor.run {} }
    }
}

private final class RefusingDelegate: NoroshiDelegate {
    let seen = Locked<[URL]>([])

    func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool {
        seen.withLock { $0.append(context.url) }
        return false
    }
}
