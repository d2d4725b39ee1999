import ClientTesting
import Foundation
import Noroshi
import Testing

@Suite("Links on a phone's screen")
@MainActor
struct LinkScreenTests {
    @Test("a page that is meant to stay in the app opens over whatever the app shows")
    func page() async throws {
        let folder = try TemporaryFolder()
        let system = AppSystem(folder: folder.url, transport: Ingest())
        let noroshi = system.launch()
        system.becomeActive()
        system.showScreen()
        noroshi.notifications.handleTap(
            onRemoteMessage: try SDKFixture.message(
                marker: ["uri": "https://tea.example.com/menu", "use_webview": true]
            )
        )
        #expect(await eventually { system.page == "https://tea.example.com/menu" })
    }
}
