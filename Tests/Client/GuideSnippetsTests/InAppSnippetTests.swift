import ClientTesting
import Foundation
import GuideScreens
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import Testing

@Suite("The guides' in-app messages do what the guides say", .serialized)
@MainActor
struct InAppSnippetTests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func sdk() -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "sdk.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        return Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(transport: ingest),
            platform: platform
        )
    }

    private func message(
        _ kind: InAppMessage.Kind,
        _ text: String,
        extras: [String: String]? = nil
    ) -> InAppMessage {
        var message = InAppMessage(
            id: kind.rawValue,
            kind: kind,
            message: text,
            rules: InAppMessageRules(triggers: [])
        )
        message.extras = extras
        return message
    }

    @Test("a slideup subclass moves the strip by its own offset")
    func slideup() async {
        let noroshi = sdk()
        let phone = GuidePhone(noroshi)
        noroshi.inAppMessages.present(message(.slideup, "Tea is ready"))
        #expect(await eventually { phone.slideupDistance == -24 })
    }

    @Test("view_type chooses the picker, whose choice goes into the attribute of attribute_key")
    func picker() async throws {
        let noroshi = sdk()
        let phone = GuidePhone(noroshi)
        noroshi.inAppMessages.present(
            message(
                .modal,
                "Lions, Tigers, Giants",
                extras: ["view_type": "picker", "attribute_key": "team"]
            )
        )
        #expect(await eventually { phone.pickerTitles == [["Lions", "Tigers", "Giants"]] })
        // The view that the app brings is the only one.
        #expect(phone.texts == ["Which team?", "Send"])
        // Without a choice there is nothing to send.
        phone.touch(x: 190, y: 520)
        #expect(phone.kind == "ModalPickerViewController")
        phone.pick(1)
        phone.touch(x: 190, y: 520)
        #expect(phone.touchesOfTheApp == 0)
        await noroshi.flush()
        #expect(ingest.records.compactMap(\.attributes).contains(["team": "Tigers"]))
        #expect(noroshi.inAppMessages.visibleMessage == nil)
    }

    @Test("a modal without view_type takes the SDK's controller")
    func plainModal() async {
        let noroshi = sdk()
        let phone = GuidePhone(noroshi)
        noroshi.inAppMessages.present(message(.modal, "Hello"))
        #expect(await eventually { phone.kind == "NoroshiInAppMessageModalViewController" })
        #expect(phone.texts == ["(a web page)"])
    }

    @Test("the switches of a full message receive their touches, and the tags are stored")
    func tags() async throws {
        let noroshi = sdk()
        let phone = GuidePhone(noroshi)
        noroshi.inAppMessages.present(
            message(.full, "news, offers, tips", extras: ["attribute_key": "topics"])
        )
        #expect(await eventually { phone.kind == "FullListViewController" })
        phone.touch(x: 320, y: 110)
        phone.touch(x: 320, y: 160)
        phone.touch(x: 320, y: 210)
        // Off again, and beside the switches nothing happens.
        phone.touch(x: 320, y: 160)
        phone.touch(x: 200, y: 400)
        #expect(phone.kind == "FullListViewController")
        phone.touch(x: 200, y: 720)
        #expect(await eventually { phone.kind == nil })
        #expect(phone.touchesOfTheApp == 0)
        phone.touch(x: 200, y: 720)
        #expect(phone.touchesOfTheApp == 1)
        await noroshi.flush()
        #expect(
            ingest.records.compactMap(\.attributes).contains([
                "topics": .array(["news", "tips"])
            ])
        )
    }

    @Test("an HTML message takes the SDK's web view")
    func html() async {
        let noroshi = sdk()
        let phone = GuidePhone(noroshi)
        noroshi.inAppMessages.present(message(.html, "<p>Hello</p>"))
        #expect(await eventually { phone.kind == "NoroshiInAppMessageHTMLViewController" })
    }
}
