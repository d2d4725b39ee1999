import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import Testing

@_spi(Testing) @testable import NoroshiUI

// What the user has chosen for the whole phone is one for all tests.
@Suite("Screens", .serialized)
@MainActor
struct ScreenTests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("capture: the button appears with a valid address, which reaches the profile at once")
    func capture() async throws {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.show("noroshi_capture", ["cert_title": "Certification"])
        #expect(screen.placeholder == "name@example.com")
        #expect(screen.height > 32)
        screen.type("ann@")
        #expect(!screen.texts.contains("Register"))
        screen.type("ann@example.com")
        #expect(screen.texts.contains("Register"))
        screen.tap("Register")
        #expect(screen.texts == ["Thank you"])
        #expect(
            await eventually {
                ingest.records.compactMap(\.attributes) == [["email": "ann@example.com"]]
            }
        )
        // The thanks are read, and the notification closes by itself.
        #expect(await eventually { screen.calls == ["dismiss"] })
        #expect(await screen.respond(to: "later") == "dismissAndForwardAction")
    }

    @Test("an action button of the notification registers too, shows the thanks and closes")
    func captureByAction() async throws {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.show("noroshi_capture", ["cert_title": "Certification"])
        screen.type("ann@example.com")
        #expect(await screen.respond(to: "noroshi_register") == "doNotDismiss")
        #expect(screen.texts == ["Thank you"])
        #expect(await eventually { screen.calls == ["dismiss"] })
    }

    @Test("progress shows the count and what is next; a missing pair says so instead of crashing")
    func progress() {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.show(
            "noroshi_progress",
            [
                "completed_session_count": "3", "total_session_count": "8",
                "next_session_name": "Segments", "next_session_complete_date": "Friday",
            ]
        )
        #expect(screen.texts == ["Title", "3 / 8", "Segments · Friday"])
        screen.show("noroshi_progress", [:])
        #expect(screen.texts.first?.contains("total_session_count") == true)
    }

    @Test("a story is paged by its buttons, and a tap on a page opens the app with the page")
    func story() async throws {
        let screen = ContentScreen(
            folder: folder.url,
            transport: ingest,
            sleep: { _ in try await Task.sleep(nanoseconds: .max) }
        )
        let picture = folder.url.appendingPathComponent("2.png")
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: picture)
        let dispatch = UUID()
        screen.showStory(dispatch, picture: picture)
        #expect(screen.texts == ["Sencha", "Previous", "1 / 3", "Next"])
        #expect(!screen.hasStoryPicture)
        screen.tap("Next")
        #expect(screen.texts == ["Hojicha", "Roasted", "Previous", "2 / 3", "Next"])
        #expect(screen.hasStoryPicture)
        screen.tap("Previous")
        screen.tap("Previous")
        #expect(screen.texts == ["Previous", "3 / 3", "Next"])
        screen.tapPage()
        #expect(screen.calls == ["open"])
        // The app that the system opens now finds the page where the extension has left it.
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        let app = Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: ingest),
            platform: .none
        )
        app.notifications.handleTap(
            onRemoteMessage: [
                "push_no": "7",
                "noroshi":
                    #"{"dispatch_id": "\#(dispatch)", "story": [{}, {}, {"uri": "tea://3"}]}"#,
            ]
        )
        await app.flush()
        #expect(ingest.records.compactMap(\.push).map(\.page) == [3])
    }

    @Test("the pages of a story turn by themselves, up to the last one")
    func storyByItself() async throws {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.showStory(UUID(), picture: folder.url)
        #expect(await eventually { screen.texts == ["Previous", "3 / 3", "Next"] })
    }

    @Test("under VoiceOver the pages of a story wait, and what is turned to is said")
    func storyReadAloud() async throws {
        let waits = Locked(0)
        let screen = ContentScreen(folder: folder.url, transport: ingest) { _ in
            waits.withLock { $0 += 1 }
            await Task.yield()
        }
        screen.listens(true)
        defer { screen.listens(false) }
        screen.showStory(UUID(), picture: folder.url)
        #expect(await eventually { waits.withLock { $0 } > 20 })
        #expect(screen.texts == ["Sencha", "Previous", "1 / 3", "Next"])
        screen.tap("Next")
        #expect(screen.said.last == "Hojicha, Roasted, 2 / 3")
        // It is the user's turn from now on, also without VoiceOver.
        screen.listens(false)
        #expect(screen.texts == ["Hojicha", "Roasted", "Previous", "2 / 3", "Next"])
    }

    @Test("the wheel is drawn in sectors, and the prize it stops at is the one that is said")
    func wheel() async throws {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        let prizes = ["tea", "cake", "5 %", "10 %"]
        screen.show("noroshi_wheel", ["prizes": prizes.joined(separator: ", ")])
        let sectors = screen.wheelSectors(size: 200)
        #expect(sectors.map(\.radius) == [100, 100, 100, 100])
        #expect(zip(sectors, sectors.dropFirst()).allSatisfy { $0.end == $1.start })
        let sum = sectors.reduce(0) { $0 + $1.end - $1.start }
        #expect(abs(sum - 2 * .pi) < 1e-9)
        // Neighbors can be told apart, also where the circle closes.
        for (sector, next) in zip(sectors, sectors.dropFirst() + sectors.prefix(1)) {
            #expect(sector.color != next.color)
        }
        screen.tap("Spin")
        #expect(screen.wheelSeconds == 3)
        let angle = try #require(screen.wheelAngle)
        let top = (-angle).truncatingRemainder(dividingBy: 2 * .pi) + 2 * .pi
        let stopped = prizes[Int(top / (2 * .pi) * 4) % 4]
        #expect(await eventually { screen.texts.last == stopped })
        #expect(screen.said.last == stopped)
        await ingestOne("wheel_spun")
        #expect(ingest.records.compactMap(\.event?.properties) == [["prize": .string(stopped)]])
    }

    private func ingestOne(_ name: String) async {
        #expect(await eventually { ingest.records.compactMap(\.event?.name) == [name] })
    }

    @Test("for whoever wants less motion the wheel does not turn")
    func wheelWithoutMotion() {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.wantsLessMotion(true)
        defer { screen.wantsLessMotion(false) }
        screen.show("noroshi_wheel", ["prizes": "tea, cake"])
        screen.tap("Spin")
        #expect(screen.wheelSeconds == nil)
        #expect(screen.wheelAngle != 0)
    }

    @Test("a card of the match game says its number, and its face only when it is open")
    func cards() {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.show("noroshi_match", ["faces": "a, b"])
        #expect(screen.cardLabels == ["Card 1", "Card 2", "Card 3", "Card 4"])
        screen.tap("?")
        #expect(["Card 1: a", "Card 1: b"].contains(screen.cardLabels[0]))
        #expect(screen.cardLabels.dropFirst() == ["Card 2", "Card 3", "Card 4"])
    }

    @Test("the wheel and the match game report their results once")
    func games() async throws {
        let screen = ContentScreen(folder: folder.url, transport: ingest)
        screen.show("noroshi_wheel", ["prizes": "tea"])
        screen.tap("Spin")
        screen.tap("Spin")
        screen.show("noroshi_match", ["faces": "a, b, c"])
        #expect(screen.solveMatchGame() == 6)
        #expect(
            await eventually {
                ingest.records.compactMap(\.event?.name) == ["wheel_spun", "match_game_won"]
            }
        )
    }

    private func sdk(
        sleep: (@Sendable (TimeInterval) async throws -> Void)? = nil
    ) -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        var dependencies = Noroshi.Dependencies(transport: ingest)
        if let sleep { dependencies.sleep = sleep }
        return Noroshi(
            configuration: configuration,
            dependencies: dependencies,
            platform: platform
        )
    }

    private func message(_ kind: InAppMessage.Kind, _ text: String) -> InAppMessage {
        InAppMessage(
            id: "m",
            kind: kind,
            message: text,
            rules: InAppMessageRules(triggers: [])
        )
    }

    @Test("the renderer that apps carry is the one of Clients/web")
    func rendererIsTheOne() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let script = try String(
            contentsOf: repository.appendingPathComponent("Clients/web/messages.js"),
            encoding: .utf8
        )
        // Not the texts themselves: a difference would print both.
        let isSame = MessageScreen.rendererSource + "\n" == script
        #expect(isSame, "run Scripts/embed-web-files")
    }

    private func kinds() -> [SDKRecord.InAppMessageInteraction.Kind] {
        ingest.records.compactMap(\.inAppMessage?.kind)
    }

    @Test("an in-app message is drawn, and its button does what it says")
    func message() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        var message = message(.modal, "Tea is ready <!--<script> </script>")
        message.header = "Tea House"
        // No text begins or ends a comment or a script of the page.
        let page = try MessagePage.html(message, picture: nil, textSize: 17)
        #expect(!page.contains("<!--<script>"))
        #expect(page.components(separatedBy: "</script>").count == 2)
        message.buttons = [.init(id: "0", text: "Come", clickAction: .event(name: "coming"))]
        noroshi.inAppMessages.present(message)
        #expect(await eventually { screen.drawn == message })
        screen.finishDrawing()
        screen.tap(button: "0")
        await noroshi.flush()
        #expect(ingest.records.contains { $0.event?.name == "coming" })
        #expect(kinds() == [.impression, .button])
        #expect(noroshi.inAppMessages.visibleMessage == nil)
        #expect(!screen.isShowing)
    }

    @Test("a message counts when it is drawn, not before")
    func countsWhenSeen() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        noroshi.inAppMessages.present(message(.modal, "Tea is ready"))
        #expect(await eventually { screen.drawn != nil })
        await noroshi.flush()
        #expect(kinds().isEmpty)
        screen.finishDrawing()
        screen.finishDrawing()
        await noroshi.flush()
        #expect(kinds() == [.impression])
    }

    @Test("a message that is never drawn gives the screen back and is not counted")
    func neverDrawn() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        let isOver = Locked(false)
        noroshi.inAppMessages.presenter = screen.presenter(wait: {
            while !isOver.withLock({ $0 }) { await Task.yield() }
        })
        noroshi.inAppMessages.present(message(.modal, "Tea is ready"))
        #expect(await eventually { screen.drawn != nil })
        isOver.withLock { $0 = true }
        #expect(await eventually { !screen.isShowing })
        isOver.withLock { $0 = false }
        noroshi.inAppMessages.present(message(.slideup, "Cake is ready"))
        #expect(await eventually { screen.drawn?.message == "Cake is ready" })
        // The system has taken the page's memory.
        screen.endPageProcess()
        #expect(await eventually { !screen.isShowing })
        await noroshi.flush()
        #expect(kinds().isEmpty)
        #expect(noroshi.inAppMessages.visibleMessage == nil)
        isOver.withLock { $0 = true }
    }

    @Test("beside its strip a slideup lets touches through to the app; a modal does not")
    func touches() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        noroshi.inAppMessages.present(message(.slideup, "Tea is ready"))
        #expect(await eventually { screen.drawn != nil })
        #expect(!screen.reachesMessage(at: 100))
        #expect(screen.reachesMessage(at: 770))
        screen.tapCross()
        noroshi.inAppMessages.present(message(.modal, "Tea is ready"))
        #expect(await eventually { screen.drawn?.kind == .modal })
        #expect(screen.reachesMessage(at: 100))
    }

    @Test("a message comes over what the app presents already, and the next one after it")
    func presentingHost() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        screen.presentOwnScreen()
        noroshi.inAppMessages.present(message(.slideup, "Tea is ready"))
        #expect(await eventually { screen.drawn?.message == "Tea is ready" })
        screen.tapCross()
        noroshi.inAppMessages.present(message(.slideup, "Cake is ready"))
        #expect(await eventually { screen.drawn?.message == "Cake is ready" })
    }

    @Test("a controller of the app's own has a window too, which goes when it is closed")
    func ownController() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        let own = screen.bringOwnController()
        screen.presentOwnScreen()
        noroshi.inAppMessages.present(message(.modal, "Tea is ready"))
        #expect(await eventually { own.isShown })
        await noroshi.flush()
        #expect(kinds() == [.impression])
        own.dismiss()
        noroshi.changeUser(userId: "ann")
        #expect(await eventually { !screen.isShowing })
    }

    @Test("a message for another way of holding the device is left out, and counts nothing")
    func orientation() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        var message = message(.modal, "Tea is ready")
        message.orientation = .landscape
        noroshi.inAppMessages.present(message)
        #expect(
            await eventually {
                noroshi.inAppMessages.waitingCount == 0
                    && noroshi.inAppMessages.visibleMessage == nil
            }
        )
        #expect(!screen.isShowing)
        message.orientation = .portrait
        noroshi.inAppMessages.present(message)
        #expect(await eventually { screen.drawn == message })
        #expect(screen.isPortraitOnly)
        await noroshi.flush()
        #expect(kinds().isEmpty)
    }

    @Test("a message that finds no window is not used up and is shown when there is one")
    func noWindowYet() async throws {
        let noroshi = sdk { _ in await Task.yield() }
        let screen = MessageScreen()
        screen.hasWindow = false
        noroshi.inAppMessages.presenter = screen.presenter()
        var once = message(.slideup, "Tea is ready")
        once.rules = InAppMessageRules(triggers: [.event(name: "e", filters: [])])
        once.rules.impressionLimit = 1
        noroshi.inAppMessages.replace(with: [once])
        noroshi.logCustomEvent(name: "e")
        #expect(await eventually { noroshi.inAppMessages.waitingCount == 1 })
        screen.hasWindow = true
        #expect(await eventually { screen.drawn == once })
        screen.finishDrawing()
        screen.tapCross()
        await noroshi.flush()
        #expect(kinds() == [.impression, .dismissed])
        // Now it is used up.
        noroshi.logCustomEvent(name: "e")
        #expect(noroshi.inAppMessages.waitingCount == 0)
    }

    @Test("a change of user takes the message off the screen")
    func userChange() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        noroshi.inAppMessages.present(message(.modal, "Tea is ready"))
        #expect(await eventually { screen.isShowing })
        noroshi.changeUser(userId: "ann")
        #expect(await eventually { !screen.isShowing })
    }

    @Test("a picture is loaded before it is shown; one that cannot be loaded is discarded")
    func pictures() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        let files = Files(["/there.png": Data([0x89, 0x50, 0x4E, 0x47])])
        noroshi.inAppMessages.presenter = screen.presenter(transport: files)
        var message = message(.modalImage, "")
        message.imageURL = "https://img.example.com/missing.png"
        noroshi.inAppMessages.present(message)
        #expect(await eventually { files.asked == ["/missing.png"] })
        #expect(await eventually { noroshi.inAppMessages.visibleMessage == nil })
        #expect(!screen.isShowing)
        message.imageURL = "https://img.example.com/there.png"
        noroshi.inAppMessages.present(message)
        // The page itself loads nothing.
        #expect(await eventually { screen.drawn?.imageURL == "data:image/png;base64,iVBORw==" })
    }

    @Test("the page of an HTML message records through its bridge, and 1 is not true")
    func bridge() async throws {
        let noroshi = sdk()
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        noroshi.inAppMessages.present(message(.html, "<button>Spin</button>"))
        #expect(await eventually { screen.page == "<button>Spin</button>" })
        screen.finishPage()
        screen.post(#"{"method":"logCustomEvent","arguments":["spun",{"n":1,"won":true}]}"#)
        screen.post(#"{"method":"user.setCustomUserAttribute","arguments":["luck",0]}"#)
        screen.post(#"{"method":"user.setDateOfBirth","arguments":[2000,2,30]}"#)
        screen.post(#"{"method":"logClick","arguments":["0"]}"#)
        screen.post("nonsense")
        #expect(noroshi.inAppMessages.visibleMessage != nil)
        screen.post(#"{"method":"closeMessage","arguments":[]}"#)
        #expect(noroshi.inAppMessages.visibleMessage == nil)
        await noroshi.flush()
        let event = try #require(ingest.records.compactMap(\.event).first { $0.name == "spun" })
        #expect(event.properties == ["n": .integer(1), "won": .bool(true)])
        #expect(ingest.records.compactMap(\.attributes) == [["luck": .integer(0)]])
        #expect(ingest.records.compactMap(\.inAppMessage?.button) == ["0"])
        #expect(kinds() == [.impression, .button, .dismissed])
    }

    @Test("a link of a page leaves through the app, and its flags are not part of it")
    func link() async throws {
        let noroshi = sdk()
        let opened = Opened()
        noroshi.delegate = opened
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        noroshi.inAppMessages.present(message(.html, "<a>Shop</a>"))
        #expect(await eventually { screen.page != nil })
        #expect(screen.follow("https://shop.example.com/tea?size=2&abButtonId=1") == false)
        #expect(await eventually { opened.urls == ["https://shop.example.com/tea?size=2"] })
        await noroshi.flush()
        #expect(ingest.records.compactMap(\.inAppMessage?.button) == ["1"])
        #expect(noroshi.inAppMessages.visibleMessage == nil)
    }
}

/// Files by path.
private final class Files: NoroshiTransport {
    private let contents: [String: Data]
    private let paths = Locked<[String]>([])

    var asked: [String] { paths.withLock { $0 } }

    init(_ contents: [String: Data]) {
        self.contents = contents
    }

    func send(_ request: NoroshiRequest) async throws -> NoroshiResponse {
        paths.withLock { $0.append(request.url.path) }
        guard let data = contents[request.url.path] else { return NoroshiResponse(status: 404) }
        return NoroshiResponse(status: 200, body: data)
    }
}

/// An app that opens addresses itself.
private final class Opened: NoroshiDelegate {
    private let seen = Locked<[String]>([])

    var urls: [String] { seen.withLock { $0 } }

    func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool {
        seen.withLock { $0.append(context.url.absoluteString) }
        return false
    }
}
