import Accounts
import Foundation
import Model
import NoroshiWire
import Ports
import Server
import Testing

@Suite("Users are found in the console and through the API")
struct UserLookupTests {
    private static let installation = "11111111-2222-4333-8444-555555555555"

    private static let users = """
        {"attributes": [
          {"external_id": "yuki-1", "first_name": "Yuki", "last_name": "Tanaka",
           "email": "Yuki@example.org", "phone": "+4912345"},
          {"external_id": "ken-2", "first_name": "Ken"}]}
        """

    private func prepare(_ console: ConsoleSession) async throws -> (key: String, yuki: Profile) {
        let key = try await console.server.accounts.createAPIKey(
            name: "test",
            permissions: ["*"],
            by: .commandLine(account: "test", console.workspace)
        )
        #expect(try await console.call("/users/track", key: key, json: Self.users) == 201)
        let alias = """
            {"user_aliases": [{"external_id": "yuki-1", "alias_name": "snow",
              "alias_label": "shop"}]}
            """
        #expect(try await console.call("/users/alias/new", key: key, json: alias) == 201)
        let app = try await console.server.store.createApp(
            AppDraft(name: "Tea", platform: "ios", bundleID: "org.tea", sdkKey: "key"),
            in: console.workspace,
            noting: nil,
            now: Date()
        )
        _ = try await console.server.store.ingest(
            [
                IngestRequest(
                    workspace: console.workspace,
                    source: .device(
                        SDKDevice(
                            id: try #require(UUID(uuidString: Self.installation)),
                            platform: "ios"
                        ),
                        app: app.id
                    ),
                    items: [
                        IngestItem(
                            recordID: nil,
                            user: .external("yuki-1"),
                            time: Date(),
                            content: .pushRegistered(
                                PushRegistration(
                                    provider: .apns,
                                    token: "0a1b2c3d",
                                    authorization: .authorized,
                                    registeredAt: Date()
                                )
                            )
                        )
                    ]
                )
            ],
            now: Date()
        )
        let found = try await console.server.store.profile(
            .external("yuki-1"),
            in: console.workspace
        )
        return (key, try #require(found))
    }

    @Test("in the console by any identifier, by a token, and by the beginning of a name")
    func console() async throws {
        try await ConsoleSession.open { console in
            let (_, yuki) = try await prepare(console)
            let words = [
                "yuki-1", "yuki@example.org", "+4912345", "snow", "0a1b2c3d", Self.installation,
                yuki.publicID.uuidString.lowercased(), "yuk", "Yu", "tana", "+491",
            ]
            for text in words {
                let encoded = try #require(
                    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                )
                let page = try await console.get("/console/users?text=\(encoded)")
                #expect(page.contains("/console/users/\(yuki.id)"), "\(text)")
                #expect(!page.contains("ken-2"), "\(text)")
            }
            let profile = try await console.get("/console/users/\(yuki.id)")
            #expect(profile.contains("snow"))
            let nobody = try await console.get("/console/users?text=nobody")
            #expect(!nobody.contains("yuki-1") && !nobody.contains("ken-2"))
        }
    }

    @Test("through the API by each identifier that it knows")
    func api() async throws {
        try await ConsoleSession.open { console in
            let (key, yuki) = try await prepare(console)
            let questions = [
                #"{"external_ids": ["yuki-1"]}"#,
                #"{"user_aliases": [{"alias_name": "snow", "alias_label": "shop"}]}"#,
                #"{"braze_id": "\#(yuki.publicID.uuidString.lowercased())"}"#,
                #"{"email_address": "yuki@EXAMPLE.org"}"#,
                #"{"phone": "+4912345"}"#,
                #"{"device_id": "\#(Self.installation)"}"#,
            ]
            for question in questions {
                let answer = try await console.ask("/users/export/ids", key: key, json: question)
                #expect(answer.contains(#""external_id":"yuki-1""#), "\(question): \(answer)")
                #expect(answer.contains("0a1b2c3d"))
            }
        }
    }
}
