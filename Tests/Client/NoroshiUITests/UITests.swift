import ClientTesting
import Foundation
import Noroshi
import NoroshiOutbox
import NoroshiUI
import NoroshiWire
import Testing

@Suite("Screens")
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
        #expect(screen.respond(to: "later") == "dismissAndForwardAction")
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

    @Test("an in-app message is drawn, and its button does what it says")
    func message() async throws {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        let noroshi = Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: ingest),
            platform: platform
        )
        let screen = MessageScreen()
        noroshi.inAppMessages.presenter = screen.presenter()
        var message = InAppMessage(
            id: "m",
            kind: .modal,
            message: "Tea is ready",
            rules: InAppMessageRules(triggers: [])
        )
        message.header = "Tea House"
        message.buttons = [.init(id: "0", text: "Come", clickAction: .event(name: "coming"))]
        noroshi.inAppMessages.present(message)
        #expect(await eventually { screen.texts == ["Tea House", "Tea is ready", "Come"] })
        screen.tap("Come")
        await noroshi.flush()
        #expect(ingest.records.contains { $0.event?.name == "coming" })
        #expect(noroshi.inAppMessages.visibleMessage == nil)
    }
}
