import ClientTesting
import Foundation
import Noroshi
import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("In-app messages")
struct InAppMessageTests {
    let app: SDKFixture

    init() throws {
        app = try SDKFixture()
    }

    private func message(
        _ id: String,
        kind: InAppMessage.Kind = .modal,
        on triggers: [InAppMessageRules.Trigger] = [.event(name: "e", filters: [])],
        priority: Int = 0,
        change: (inout InAppMessage) -> Void = { _ in }
    ) -> InAppMessage {
        var message = InAppMessage(
            id: id,
            kind: kind,
            message: "tea, coffee",
            rules: InAppMessageRules(triggers: triggers, priority: priority)
        )
        change(&message)
        return message
    }

    private func launch(_ presenter: TestPresenter, _ messages: [InAppMessage]) -> Noroshi {
        let noroshi = app.launch()
        noroshi.inAppMessages.replace(with: messages)
        noroshi.inAppMessages.presenter = presenter
        return noroshi
    }

    private func shown(_ presenter: TestPresenter, _ ids: [String]) async -> Bool {
        await eventually { presenter.ids == ids }
    }

    @Test("messages come with a session, and those of the last time are used without network")
    func refresh() async throws {
        let message = message("welcome", on: [.sessionStart]) { $0.rules.impressionLimit = 2 }
        let document = try JSONEncoder().encode(SDKInAppMessages(messages: [message]))
        app.ingest.change { $0.documents["/sdk/v1/in_app_messages"] = document }
        let presenter = TestPresenter()
        let first = app.launch()
        first.inAppMessages.presenter = presenter
        first.applicationDidBecomeActive()
        #expect(await shown(presenter, ["welcome"]))
        app.ingest.change { $0.documents = [:] }
        app.clock.advance(by: 3600)
        let again = TestPresenter()
        let second = app.launch()
        second.inAppMessages.presenter = again
        second.applicationDidBecomeActive()
        #expect(await shown(again, ["welcome"]))
    }

    @Test("where signed tokens are used, what is read for a user brings the user's token")
    func signature() async throws {
        let noroshi = app.launch { $0.api.sdkAuthentication = true }
        noroshi.changeUser(userId: "ada", signature: "a.b.c")
        await noroshi.inAppMessages.refresh(with: noroshi)
        noroshi.changeUser(userId: "bob")
        await noroshi.inAppMessages.refresh(with: noroshi)
        let plain = app.launch()
        plain.changeUser(userId: "ada", signature: "a.b.c")
        await plain.inAppMessages.refresh(with: plain)
        // What the server acknowledges late is asked for once more.
        var asked: [String] = []
        for read in app.ingest.read({ $0.reads }) {
            let user = read.url.absoluteString.contains("user=ada") ? "ada" : "bob"
            let one = "\(user) \(read.headers["X-Noroshi-User-Token"] ?? "-")"
            if asked.last != one { asked.append(one) }
        }
        #expect(asked == ["ada a.b.c", "bob -", "ada -"])
    }

    @Test("of several messages the highest priority wins, of equals the first in the list")
    func priority() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(
            presenter,
            [message("low"), message("high", priority: 5), message("second", priority: 5)]
        )
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["high"]))
    }

    @Test("filters look at the properties of events and purchases")
    func filters() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(
            presenter,
            [
                message(
                    "cart",
                    on: [.event(name: "e", filters: [.init("total", .greater, 100)])]
                ),
                message("tea", on: [.purchase(product: "tea", filters: [])]) {
                    $0.rules.impressionLimit = nil
                },
            ]
        )
        noroshi.logCustomEvent(name: "e", properties: ["total": 100])
        noroshi.logCustomEvent(name: "other", properties: ["total": 200])
        noroshi.logPurchase(productId: "cake", currency: "JPY", price: 1)
        #expect(presenter.ids.isEmpty)
        noroshi.logCustomEvent(name: "e", properties: ["total": 100.5])
        #expect(await shown(presenter, ["cart"]))
        presenter.closeAll()
        app.clock.advance(by: 31)
        noroshi.logPurchase(productId: "tea", currency: "JPY", price: 1)
        #expect(await shown(presenter, ["cart", "tea"]))
    }

    @Test("messages keep 30 seconds apart and are shown as often as allowed")
    func gapAndLimit() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(
            presenter,
            [
                message("once", priority: 2),
                message("twice", priority: 1) { $0.rules.impressionLimit = 2 },
            ]
        )
        var expected: [String] = []
        for (pause, next) in [(0, "once"), (29, nil), (2, "twice"), (31, "twice"), (31, nil)] {
            app.clock.advance(by: TimeInterval(pause))
            noroshi.logCustomEvent(name: "e")
            if let next { expected.append(next) }
            #expect(await shown(presenter, expected))
            presenter.closeAll()
        }
    }

    @Test("an expired message is not shown; a delayed one is shown after its delay")
    func timing() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(
            presenter,
            [
                message("expired", priority: 9) {
                    $0.rules.expiresAtMilliseconds = 1_799_999_999_000
                },
                message("early", priority: 8) {
                    $0.rules.startsAtMilliseconds = 1_800_000_600_000
                },
                message("delayed") { $0.rules.delaySeconds = 0.05 },
            ]
        )
        noroshi.logCustomEvent(name: "e")
        #expect(presenter.ids.isEmpty)
        #expect(await shown(presenter, ["delayed"]))
    }

    @Test(
        "what is asked for again before it is seen is shown once, whatever its limit",
        arguments: [1, 2, nil]
    )
    func askedTwice(limit: Int?) async throws {
        let presenter = TestPresenter(sees: false)
        let noroshi = launch(
            presenter,
            [
                message("slow") { $0.rules.impressionLimit = limit },
                message("other", on: [.event(name: "o", filters: [])]),
                message("end", on: [.event(name: "end", filters: [])]),
            ]
        )
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["slow"]))
        // Its picture is still on the way.
        for _ in 0..<5 { noroshi.logCustomEvent(name: "e") }
        noroshi.logCustomEvent(name: "o")
        #expect(await eventually { noroshi.inAppMessages.waitingCount >= 1 })
        presenter.contexts.withLock { $0.first }?.logImpression()
        presenter.closeAll()
        #expect(await eventually { presenter.ids.contains("other") })
        presenter.closeAll()
        app.clock.advance(by: 31)
        noroshi.logCustomEvent(name: "end")
        #expect(await eventually { presenter.ids.contains("end") })
        presenter.closeAll()
        #expect(await eventually { noroshi.inAppMessages.visibleMessage == nil })
        #expect(presenter.ids == ["slow", "other", "end"])
        #expect(noroshi.inAppMessages.waitingCount == 0)
    }

    @Test("one for which there was no screen yet is asked for again, and still shown once")
    func askedWhilePostponed() async throws {
        let presenter = TestPresenter(sees: false)
        let noroshi = launch(presenter, [message("welcome")])
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["welcome"]))
        noroshi.logCustomEvent(name: "e")
        presenter.contexts.withLock { $0.first }?.postpone()
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["welcome", "welcome"]))
        presenter.contexts.withLock { $0.last }?.logImpression()
        presenter.closeAll()
        noroshi.inAppMessages.present(message("end"))
        #expect(await shown(presenter, ["welcome", "welcome", "end"]))
        #expect(noroshi.inAppMessages.waitingCount == 0)
    }

    @Test("one that expires while it waits is not shown, and nobody is asked about it")
    func expiresWhileWaiting() async throws {
        app.isActive.withLock { $0 = false }
        let presenter = TestPresenter()
        let delegate = TestDelegate()
        let noroshi = launch(
            presenter,
            [message("today") { $0.rules.expiresAtMilliseconds = 1_800_000_060_000 }]
        )
        noroshi.inAppMessages.delegate = delegate
        noroshi.logCustomEvent(name: "e")
        #expect(await eventually { noroshi.inAppMessages.waitingCount == 1 })
        app.clock.advance(by: 61)
        app.isActive.withLock { $0 = true }
        noroshi.applicationDidBecomeActive()
        #expect(await eventually { noroshi.inAppMessages.waitingCount == 0 })
        noroshi.inAppMessages.present(message("tomorrow"))
        #expect(await shown(presenter, ["tomorrow"]))
        #expect(delegate.asked.withLock { $0 } == ["tomorrow"])
    }

    @Test("a message waits while the app is behind or another is visible, the newest comes first")
    func stack() async throws {
        app.isActive.withLock { $0 = false }
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [])
        for id in ["a", "b", "c"] { noroshi.inAppMessages.present(message(id)) }
        #expect(presenter.ids.isEmpty)
        app.isActive.withLock { $0 = true }
        noroshi.applicationDidBecomeActive()
        #expect(await shown(presenter, ["c"]))
        presenter.closeAll()
        #expect(await shown(presenter, ["c", "b"]))
        #expect(noroshi.inAppMessages.visibleMessage?.id == "b")
    }

    @Test("the delegate shows, keeps for later or discards")
    func delegate() async throws {
        let presenter = TestPresenter()
        let delegate = TestDelegate()
        let noroshi = launch(presenter, [])
        noroshi.inAppMessages.delegate = delegate
        delegate.choices.withLock { $0 = ["discarded": .discard, "later": .later] }
        for id in ["discarded", "later"] { noroshi.inAppMessages.present(message(id)) }
        #expect(await eventually { noroshi.inAppMessages.waitingCount == 1 })
        noroshi.inAppMessages.present(message("shown"))
        #expect(await shown(presenter, ["shown"]))
        delegate.choices.withLock { $0 = [:] }
        presenter.closeAll()
        #expect(await shown(presenter, ["shown", "later"]))
    }

    @Test("a change of user takes away what is visible and what waits")
    func userChange() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [])
        noroshi.inAppMessages.present(message("a"))
        #expect(await shown(presenter, ["a"]))
        noroshi.inAppMessages.present(message("b"))
        noroshi.changeUser(userId: "ann")
        #expect(await eventually { presenter.dismissals.withLock { $0 == 1 } })
        #expect(noroshi.inAppMessages.visibleMessage == nil)
        #expect(noroshi.inAppMessages.waitingCount == 0)
    }

    @Test("messages that were made for one user are not shown to the next one")
    func nextUser() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [message("for nobody in particular")])
        noroshi.changeUser(userId: "ann")
        noroshi.logCustomEvent(name: "e")
        noroshi.inAppMessages.replace(with: [message("for ann")])
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["for ann"]))
    }

    @Test(
        "what was asked for before a change of user, or a wipe, is not shown after it",
        arguments: [0, 1],
        [false, true]
    )
    func lateAnswer(changeAt read: Int, isWipe: Bool) async throws {
        let presenter = TestPresenter()
        // What the start sends by itself has gone before the messages are asked for.
        app.launch().logCustomEvent(name: "earlier")
        let noroshi = app.launch { $0.api.requestPolicy = .automatic }
        let hasBegun = await eventually {
            app.ingest.records.contains { $0.event?.name == "earlier" }
        }
        #expect(hasBegun)
        await noroshi.flush()
        noroshi.inAppMessages.presenter = presenter
        noroshi.logCustomEvent(name: "before")
        let changesUser = Locked(true)
        let change: @Sendable () -> Void = {
            let isFirst = changesUser.withLock { changes in
                defer { changes = false }
                return changes
            }
            guard isFirst else { return }
            if isWipe { noroshi.wipeData() } else { noroshi.changeUser(userId: "ann") }
        }
        try app.ingest.change {
            $0.documents["/sdk/v1/in_app_messages"] = try JSONEncoder()
                .encode(SDKInAppMessages(messages: [message("for nobody in particular")]))
            if read == 0 {
                $0.refusesBatch = { _ in
                    change()
                    return nil
                }
            } else {
                $0.willRead = { _ in change() }
            }
        }
        await noroshi.inAppMessages.refresh(with: noroshi)
        #expect(noroshi.user.id == (isWipe ? nil : "ann"))
        noroshi.logCustomEvent(name: "e")
        try app.ingest.change {
            $0.documents["/sdk/v1/in_app_messages"] = try JSONEncoder()
                .encode(SDKInAppMessages(messages: [message("for whoever is there now")]))
        }
        await noroshi.inAppMessages.refresh(with: noroshi)
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["for whoever is there now"]))
    }

    /// A server that knows a user only by what has arrived, as the real one.
    private func serveByRecords(_ named: InAppMessage, _ nameless: InAppMessage) throws {
        let encoder = JSONEncoder()
        let known = try encoder.encode(SDKInAppMessages(messages: [nameless, named]))
        let unknown = try encoder.encode(SDKInAppMessages(messages: [nameless]))
        app.ingest.change {
            $0.readsFrom = { _, records in
                let isKnown = records.contains { $0.user == .external("ann") }
                return NoroshiResponse(status: 200, body: isKnown ? known : unknown)
            }
        }
    }

    private static let pause: @Sendable (SDKBatch) -> NoroshiResponse? = { _ in
        NoroshiResponse(status: 429, headers: ["retry-after": "30"])
    }

    @Test(
        "a log-in while the server takes nothing brings the user's own messages once it does",
        arguments: [
            NoroshiConfiguration.API.RequestPolicy.automatic,
            NoroshiConfiguration.API.RequestPolicy.manual,
        ]
    )
    func pausedLogIn(policy: NoroshiConfiguration.API.RequestPolicy) async throws {
        try serveByRecords(
            message("for ann", on: [.sessionStart]),
            message("for everybody", on: [.event(name: "e", filters: [])])
        )
        let presenter = TestPresenter()
        let noroshi = app.launch { $0.api.requestPolicy = policy }
        noroshi.inAppMessages.presenter = presenter
        noroshi.applicationDidBecomeActive()
        #expect(await eventually { app.ingest.read { $0.reads.count } >= 1 })
        app.ingest.change { $0.refusesBatch = Self.pause }
        noroshi.changeUser(userId: "ann")
        let asked: @Sendable (NoroshiRequest) -> Bool = { $0.url.query?.contains("ann") == true }
        #expect(await eventually { app.ingest.read { $0.reads.contains(where: asked) } })
        // What there is for everybody is there; the user's own is not lost.
        #expect(
            await eventually {
                noroshi.logCustomEvent(name: "e")
                return presenter.ids == ["for everybody"]
            }
        )
        presenter.closeAll()
        app.ingest.change { $0.refusesBatch = { _ in nil } }
        #expect(
            await eventually {
                // A refusal that is still on its way pauses once more.
                app.clock.advance(by: 31)
                await noroshi.flush()
                return presenter.ids == ["for everybody", "for ann"]
            }
        )
    }

    @Test("messages that could not be fetched are fetched when the server answers again")
    func unansweredFetch() async throws {
        try serveByRecords(message("for ann"), message("for everybody", on: [.pushOpen]))
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [])
        noroshi.changeUser(userId: "ann")
        await noroshi.flush()
        let answer = app.ingest.read(\.readsFrom)
        app.ingest.change { $0.readsFrom = { _, _ in NoroshiResponse(status: 429) } }
        await noroshi.inAppMessages.refresh(with: noroshi)
        app.ingest.change { $0.readsFrom = answer }
        noroshi.logCustomEvent(name: "before")
        await noroshi.flush()
        #expect(
            await eventually {
                noroshi.logCustomEvent(name: "e")
                return presenter.ids == ["for ann"]
            }
        )
    }

    @Test("a message that was away from the list is shown no more often than it may")
    func returningMessage() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [message("once")])
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["once"]))
        presenter.closeAll()
        noroshi.inAppMessages.replace(with: [])
        app.clock.advance(by: 31)
        noroshi.inAppMessages.replace(with: [message("once", priority: 9), message("other")])
        noroshi.logCustomEvent(name: "e")
        #expect(await shown(presenter, ["once", "other"]))
    }

    @Test("impression, click and buttons are recorded once, and their actions are done")
    func interactions() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [])
        noroshi.inAppMessages.present(
            message("m") {
                $0.clickAction = .url("tea://menu", useWebView: false)
                $0.buttons = [
                    .init(id: "0", text: "Log", clickAction: .event(name: "clicked")),
                    .init(
                        id: "1",
                        text: "Set",
                        clickAction: .attribute(key: "taste", value: "sweet")
                    ),
                ]
                $0.extras = ["view_type": "picker", "attribute_key": "drink"]
            }
        )
        #expect(await shown(presenter, ["m"]))
        let context = try #require(presenter.contexts.withLock { $0.first })
        #expect(context.items == ["tea", "coffee"])
        for _ in 0..<2 {
            context.logImpression()
            context.processClick()
            context.processClick(buttonId: "0")
            context.processClick(buttonId: "1")
        }
        context.setAttribute("coffee")
        #expect(await eventually { app.opened.withLock { $0.count >= 1 } })
        await noroshi.flush()
        let kinds = app.ingest.records.compactMap { record -> String? in
            guard case .inAppMessage(let interaction) = record.content else { return nil }
            return "\(interaction.kind) \(interaction.button ?? "")"
        }
        #expect(kinds == ["impression ", "click ", "button 0", "button 1"])
        #expect(app.ingest.records.contains { $0.event?.name == "clicked" })
        #expect(app.ingest.records.contains { $0.attributes == ["taste": "sweet"] })
        #expect(app.ingest.records.contains { $0.attributes == ["drink": "coffee"] })
    }

    @Test("an address that is meant for the app's own browser opens there, if there is a screen")
    func browserInApp() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [])
        func follow(_ address: String, useWebView: Bool) async {
            let shown = presenter.ids.count + 1
            noroshi.inAppMessages.present(
                message("m") { $0.clickAction = .url(address, useWebView: useWebView) }
            )
            #expect(await eventually { presenter.ids.count == shown })
            presenter.contexts.withLock { $0.last }?.processClick()
        }
        await follow("https://tea.example.com/in", useWebView: true)
        #expect(await eventually { app.openedInApp.withLock { $0.map(\.path) } == ["/in"] })
        await follow("https://tea.example.com/out", useWebView: false)
        #expect(await eventually { app.opened.withLock { $0.count } == 1 })
        // Links into apps are no pages, whatever a message says.
        await follow("tea://menu", useWebView: true)
        #expect(await eventually { app.opened.withLock { $0.count } == 2 })
        app.hasScreen.withLock { $0 = false }
        await follow("https://tea.example.com/later", useWebView: true)
        #expect(await eventually { app.opened.withLock { $0.count } == 3 })
        #expect(
            app.opened.withLock { $0.map(\.absoluteString) } == [
                "https://tea.example.com/out", "tea://menu", "https://tea.example.com/later",
            ]
        )
        #expect(app.openedInApp.withLock { $0.count } == 1)
    }

    @Test("a control message is counted and not shown")
    func control() async throws {
        let presenter = TestPresenter()
        let noroshi = launch(presenter, [message("c", kind: .control)])
        noroshi.logCustomEvent(name: "e")
        #expect(
            await eventually {
                await noroshi.flush()
                return app.ingest.records.contains {
                    $0.content == .inAppMessage(.init(kind: .impression, message: "c"))
                }
            }
        )
        #expect(presenter.ids.isEmpty)
    }

    @Test("filters compare numbers as numbers and texts as texts")
    func comparisons() {
        let properties: [String: JSONValue] = [
            "n": 2, "t": "green tea", "l": ["a", 1], "null": nil,
        ]
        let passing: [InAppMessageRules.PropertyFilter] = [
            .init("n", .equals, 2.0), .init("n", .greaterOrEqual, 2), .init("n", .less, 3),
            .init("t", .contains, "tea"), .init("l", .contains, 1), .init("t", .notEquals, "x"),
            .init("missing", .notEquals, 1), .init("null", .notExists), .init("n", .exists),
            .init("t", .greater, "black tea"),
        ]
        let failing: [InAppMessageRules.PropertyFilter] = [
            .init("n", .equals, "2"), .init("n", .greater, 2), .init("missing", .equals, 1),
            .init("t", .less, 5), .init("l", .contains, "b"), .init("missing", .exists),
            .init("n", .notExists), .init("missing", .less, 9),
        ]
        for filter in passing { #expect(filter.passes(properties), "\(filter)") }
        for filter in failing { #expect(!filter.passes(properties), "\(filter)") }
    }
}

private final class TestPresenter: NoroshiInAppMessagePresenter {
    let contexts = Locked<[NoroshiInAppMessageContext]>([])
    let dismissals = Locked(0)
    /// Whether a message is on the screen at once.
    private let sees: Bool

    init(sees: Bool = true) {
        self.sees = sees
    }

    var ids: [String] { contexts.withLock { $0.map(\.message.id) } }

    func present(_ context: NoroshiInAppMessageContext) {
        // First, so that a test which has seen a message may move the clock.
        if sees { context.logImpression() }
        contexts.withLock { $0.append(context) }
    }

    func dismiss() {
        dismissals.withLock { $0 += 1 }
    }

    func closeAll() {
        for context in contexts.withLock({ $0 }) { context.close() }
    }
}

private final class TestDelegate: NoroshiInAppMessageDelegate {
    let choices = Locked<[String: NoroshiDisplayChoice]>([:])
    let asked = Locked<[String]>([])

    func displayChoice(for message: InAppMessage) -> NoroshiDisplayChoice {
        asked.withLock { $0.append(message.id) }
        return choices.withLock { $0[message.id] } ?? .display
    }
}
