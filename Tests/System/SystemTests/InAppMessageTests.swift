import Accounts
import Devices
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Server
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Server, REST API and a phone whose insides are the real SDK, over real sockets.
@Suite("An in-app message")
struct InAppMessageTests {
    @Test("is made by the REST API, shown after an event, tapped and counted")
    func story() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-in-app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let demo = try await Demo(
            folder: folder,
            host: "127.0.0.1",
            port: 0,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let key = try await demo.server.accounts.createAPIKey(
            name: "test",
            permissions: ["*"],
            by: .commandLine(account: "test", demo.workspace)
        )
        try await demo.run { address, phones in
            try await play(APIAddress(url: address, key: key), on: phones.apple)
        }
    }

    private func play(_ api: APIAddress, on phone: VirtualPhone) async throws {
        let made = try await api.post(
            "/in_app_messages/create",
            [
                "name": "Tasting", "state": "active",
                "message": [
                    "type": "modal", "header": "Tasting",
                    "message": "{{${user_id} | default: 'you'}}, how was it?",
                    "buttons": [
                        [
                            "id": "0", "text": "Good",
                            "click_action": ["type": "event", "name": "liked_tea"],
                        ]
                    ],
                    "rules": ["triggers": [["type": "event", "name": "tasted_tea"]]],
                ],
            ]
        )
        let id = try #require(made["in_app_message_id"]?.stringValue)
        // A new user is a new session, at whose start the phone fetches its messages.
        try await phone.perform(.openApp)
        try await phone.perform(.logIn(user: "taster"))
        try await eventually("the message is shown") {
            try await phone.perform(.logEvent(name: "tasted_tea"))
            return await phone.state.inAppMessage?.id == id
        }
        let shown = try #require(await phone.state.inAppMessage)
        #expect(shown.text == "taster, how was it?")
        #expect(shown.buttons.map(\.title) == ["Good"])
        try await phone.perform(.tapMessage(button: "0"))
        try await eventually("the message is closed") { await phone.state.inAppMessage == nil }
        // Once is enough.
        try await phone.perform(.logEvent(name: "tasted_tea"))
        try await eventually("the click is counted") {
            let details = try await api.get("/in_app_messages/details?in_app_message_id=\(id)")
            return details["figures"]?["first_button_clicks"] == 1
        }
        let figures = try await api.get("/in_app_messages/details?in_app_message_id=\(id)")[
            "figures"
        ]
        #expect(figures?["impressions"] == 1)
        #expect(figures?["unique_recipients"] == 1)
        #expect(figures?["clicks"] == 0)
        let events = try await api.get("/events/list")["events"]?.arrayValue ?? []
        #expect(events.contains("liked_tea"))
        #expect(await phone.state.inAppMessage == nil)
    }
}

/// The REST API as another program reaches it.
struct APIAddress: Sendable {
    let url: String
    let key: String

    func post(_ path: String, _ body: JSONValue) async throws -> JSONValue {
        try await ask(path, try JSONEncoder().encode(body))
    }

    func get(_ path: String) async throws -> JSONValue { try await ask(path, nil) }

    private func ask(_ path: String, _ body: Data?) async throws -> JSONValue {
        var request = URLRequest(url: try #require(URL(string: url + path)))
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        let (data, _) = try await URLSession.shared.data(for: request)
        return try JSONDecoder().decode(JSONValue.self, from: data)
    }
}
