import ClientTesting
import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import Testing

// The screens of the system are one for all tests of this suite.
@Suite("SwiftUI's modifiers", .serialized)
@MainActor
struct SwiftUITests {
    let folder: TemporaryFolder
    let ingest = Ingest()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func sdk(opens: Locked<[URL]> = Locked([])) -> Noroshi {
        var configuration = Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
        configuration.storage.directory = folder.url
        configuration.api.requestPolicy = .manual
        configuration.logger.level = .disabled
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        platform.open = { url in
            opens.withLock { $0.append(url) }
            return true
        }
        return Noroshi(
            configuration: configuration,
            dependencies: Noroshi.Dependencies(
                sleep: { _ in await Task.yield() },
                transport: ingest
            ),
            platform: platform
        )
    }

    private func message(_ id: String) -> InAppMessage {
        InAppMessage(id: id, kind: .modal, message: id, rules: InAppMessageRules(triggers: []))
    }

    private func tap(_ link: String, in noroshi: Noroshi) throws {
        let marker = #"{"dispatch_id": "\#(UUID())", "uri": "\#(link)"}"#
        #expect(noroshi.notifications.handleTap(onRemoteMessage: ["noroshi": marker]))
    }

    @Test("messages are shown while the view is there; one nobody has seen comes back uncounted")
    func messages() async throws {
        let noroshi = sdk()
        let app = SwiftUIApp()
        noroshi.inAppMessages.present(message("tea"))
        app.show(noroshi)
        #expect(await eventually { app.message == "tea" })
        // The view is made anew whenever what it shows changes.
        app.show(noroshi)
        #expect(app.message == "tea")
        app.leave()
        #expect(await eventually { app.message == nil })
        #expect(await eventually { noroshi.inAppMessages.waitingCount == 1 })
        app.show(noroshi)
        #expect(await eventually { app.message == "tea" })
        app.finishDrawing()
        app.leave()
        #expect(await eventually { app.message == nil })
        #expect(noroshi.inAppMessages.waitingCount == 0)
        // Nothing keeps the place of the message that went with its view.
        noroshi.inAppMessages.present(message("cake"))
        app.show(noroshi)
        #expect(await eventually { app.message == "cake" })
        app.leave()
        #expect(await eventually { app.message == nil })
        await noroshi.flush()
        #expect(ingest.records.compactMap(\.inAppMessage?.kind) == [.impression])
    }

    @Test("an SDK that is made later shows its messages as soon as the view has it")
    func late() async throws {
        let app = SwiftUIApp()
        app.show(nil)
        let noroshi = sdk()
        noroshi.inAppMessages.present(message("tea"))
        app.show(noroshi)
        #expect(await eventually { app.message == "tea" })
        app.leave()
        #expect(await eventually { app.message == nil })
    }

    @Test("a message may be a view of the app's own, which reports for itself")
    func replacement() async throws {
        let noroshi = sdk()
        let app = SwiftUIApp()
        app.own = ["picker"]
        var picker = message("picker")
        picker.clickAction = .event(name: "picked")
        app.show(noroshi)
        noroshi.inAppMessages.present(picker)
        #expect(await eventually { app.ownText == "picker" })
        #expect(app.message == nil)
        app.tapOwn()
        #expect(await eventually { app.ownText == nil })
        noroshi.inAppMessages.present(message("tea"))
        #expect(await eventually { app.message == "tea" })
        app.leave()
        #expect(await eventually { app.message == nil })
        await noroshi.flush()
        #expect(ingest.records.compactMap(\.inAppMessage?.kind) == [.impression, .click])
        #expect(ingest.records.contains { $0.event?.name == "picked" })
    }

    @Test("a link from before the first view arrives with it; without the view the system opens it")
    func links() async throws {
        let opens = Locked<[URL]>([])
        let noroshi = sdk(opens: opens)
        let first = SwiftUIApp()
        try tap("tea://1", in: noroshi)
        #expect(await eventually { opens.withLock { $0.map(\.absoluteString) } == ["tea://1"] })
        first.show(noroshi)
        #expect(await eventually { await arrives("tea://2", at: first, of: noroshi) })
        // Of two windows the later one has them, and the earlier one's end takes nothing from it.
        let second = SwiftUIApp()
        second.show(noroshi)
        #expect(await eventually { await arrives("tea://3", at: second, of: noroshi) })
        first.leave()
        for _ in 0..<20 { await Task.yield() }
        try tap("tea://4", in: noroshi)
        #expect(await eventually { second.links.last == "tea://4" })
        second.leave()
        #expect(
            await eventually {
                try? tap("tea://5", in: noroshi)
                return opens.withLock { $0.contains { $0.absoluteString == "tea://5" } }
            }
        )
    }

    /// Whether the link of a push goes to the view, once its task has begun.
    private func arrives(_ link: String, at app: SwiftUIApp, of noroshi: Noroshi) async -> Bool {
        try? tap(link, in: noroshi)
        for _ in 0..<20 { await Task.yield() }
        return app.links.last == link
    }
}
