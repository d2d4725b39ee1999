import ClientTesting
import Foundation
import GuideScreens
@_spi(Testing) import Noroshi
import NoroshiOutbox
import NoroshiWire
import Testing

/// The modal picker of the in-app guide: a server process, the SDK over sockets, the guide's own
/// controllers in the SDK's window.
@Suite("The guide's picker, from the sender to the profile")
struct GuidePickerTests {
    @Test("its rows come from Connected Content or a catalog, its choice goes into the attribute")
    func picker() async throws {
        // The service of somebody else, from which the sender takes the names.
        let league = try SocketServer { request in
            #expect(request.url.path == "/teams")
            return NoroshiResponse(
                status: 200,
                body: Data(#"{"teams": [{"name": "Lions"}, {"name": "Tigers"}]}"#.utf8)
            )
        }
        try await StrangerSite.run { site in
            let sdkKey = try ServerProcess.run(
                ["app", "create", "--name", "Guide", "--bundle-id", "com.example.guide"]
                    + site.options
            )
            let running = try site.start(["--connected-content-allow", "127.0.0.1:\(league.port)"])
            defer { running.server.kill() }
            let api = APIAddress(url: running.server.address, key: site.key)
            try await publish(
                """
                {% connected_content \(league.endpoint)/teams :save league %}\
                {{ league.teams | map: 'name' | join: ', ' }}
                """,
                on: "chose_league",
                with: api
            )
            _ = try await api.post(
                "/catalogs",
                [
                    "catalogs": [
                        [
                            "name": "teas", "description": "Teas",
                            "fields": [
                                ["name": "id", "type": "string"],
                                ["name": "name", "type": "string"],
                            ],
                        ]
                    ]
                ]
            )
            _ = try await api.post(
                "/catalogs/teas/items",
                ["items": [["id": "a", "name": "Assam"], ["id": "s", "name": "Sencha"]]]
            )
            try await publish(
                """
                {% catalog_items teas a s %}{{ items | map: 'name' | join: ', ' }}
                """,
                on: "chose_tea",
                with: api
            )
            try await play(running.server.address, sdkKey, api)
        }
    }

    private func publish(_ text: String, on event: String, with api: APIAddress) async throws {
        let made = try await api.post(
            "/in_app_messages/create",
            [
                "name": .string(event), "state": "active",
                "message": [
                    "type": "modal", "header": "Yours?", "message": .string(text),
                    "extras": ["view_type": "picker", "attribute_key": .string(event)],
                    "rules": ["triggers": [["type": "event", "name": .string(event)]]],
                ],
            ]
        )
        #expect(made["in_app_message_id"]?.stringValue != nil, "\(made)")
    }

    @MainActor
    private func play(_ address: String, _ sdkKey: String, _ api: APIAddress) async throws {
        let folder = try TemporaryFolder()
        var configuration = Noroshi.Configuration(apiKey: sdkKey, endpoint: address)
        configuration.storage.directory = folder.url
        configuration.logger.level = .disabled
        configuration.triggerMinimumTimeInterval = 0
        var platform = NoroshiPlatform.none
        platform.isActive = { true }
        let noroshi = Noroshi(configuration: configuration, platform: platform)
        noroshi.changeUser(userId: "ann")
        let phone = GuidePhone(noroshi)
        await noroshi.inAppMessages.refresh(with: noroshi)

        noroshi.logCustomEvent(name: "chose_league")
        try await shown("the names of the league", at: phone, [["Lions", "Tigers"]])
        #expect(phone.texts == ["Which team?", "Send"])
        phone.pick(1)
        phone.touch(x: 190, y: 520)

        noroshi.logCustomEvent(name: "chose_tea")
        try await shown("the names of the teas", at: phone, [["Assam", "Sencha"]])
        phone.pick(0)
        phone.touch(x: 190, y: 520)
        await noroshi.flush()

        let isStored = await ClientTesting.eventually {
            let found = try? await api.post("/users/export/ids", ["external_ids": ["ann"]])
            let attributes = found?["users"]?.arrayValue?.first?["custom_attributes"]
            return attributes?["chose_league"] == "Tigers" && attributes?["chose_tea"] == "Assam"
        }
        #expect(isStored)
    }

    @MainActor
    private func shown(_ what: String, at phone: GuidePhone, _ rows: [[String]]) async throws {
        #expect(await ClientTesting.eventually { phone.pickerTitles == rows }, "\(what)")
    }
}
