import Accounts
import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Server
import Testing

@Suite("Segments in the console over the real store")
struct SegmentConsoleTests {
    private static let users = """
        {"attributes": [
          {"external_id": "yuki", "first_name": "Yuki", "country": "JP", "stamps": 8},
          {"external_id": "ken", "first_name": "Ken", "country": "JP", "stamps": 2},
          {"external_id": "ana", "first_name": "Ana", "country": "BR", "stamps": 9}],
         "events": [{"external_id": "ken", "name": "viewed_menu",
          "time": "2026-01-01T09:00:00Z"}]}
        """

    private func answer(_ text: String) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        )
    }

    @Test("a condition is counted while it is written, saved, explained and sent to")
    func story() async throws {
        try await ConsoleSession.open { console in
            let secret = try await console.server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", console.workspace)
            )
            #expect(
                try await console.call("/users/track", key: secret, json: Self.users) == 201
            )
            while !console.server.audience.status.isReady {
                try await Task.sleep(for: .milliseconds(5))
            }
            let editor = try await console.get("/console/segments/new")
            #expect(editor.contains("stamps &gt;= ") || editor.contains("stamps >= "))
            #expect(editor.contains("viewed_menu"))

            let condition = #"country = "JP" and stamps >= 5"#
            func probe(_ condition: String) async throws -> [String: Any] {
                try answer(
                    try await console.post(
                        "/console/segments/probe",
                        ["condition": condition],
                        tokenFrom: "/console/segments/new"
                    )
                )
            }
            let counted = try await probe(condition)
            #expect((counted["reach"] as? String)?.hasPrefix("1 user") == true)
            let wrong = try await probe("country == \"JP\"")
            #expect((wrong["fault"] as? String)?.hasPrefix("line 1, column 10") == true, "\(wrong)")

            let saved = try await console.post(
                "/console/segments/new",
                ["name": "Regulars", "condition": condition]
            )
            #expect(saved.contains("Regulars"))
            let again = try await console.post(
                "/console/segments/new",
                ["name": "regulars", "condition": condition]
            )
            #expect(again.contains("already"))

            let why = try answer(
                try await console.post(
                    "/console/segments/explain",
                    ["condition": #"in segment "Regulars""#, "user": "ken"],
                    tokenFrom: "/console/segments/new"
                )
            )
            #expect(why["isIn"] as? Bool == false)
            let because = try answer(
                try await console.post(
                    "/console/segments/explain",
                    ["condition": condition, "user": "ken"],
                    tokenFrom: "/console/segments/new"
                )
            )
            let tree = try #require(because["findings"] as? [[String: Any]])
            #expect(tree.map { $0["text"] as? String } == ["All of these"])
            let findings = try #require(tree.first?["children"] as? [[String: Any]])
            #expect(findings.map { $0["holds"] as? Bool } == [true, false])
            #expect(findings.last?["found"] as? String == "stamps is 2")

            let segment = try #require(
                try await console.server.store.segments(in: console.workspace).first
            )
            let composer = try await console.get(
                "/console/push/new?audience=segment&segment=\(segment.id)"
            )
            #expect(composer.contains("Regulars"))
            let kept = try await console.get("/console/segments")
            #expect(kept.contains(#"country &#x3D; &quot;JP&quot;"#) || kept.contains("country"))
        }
    }

    @Test("a send to a segment plans the devices of its users and of nobody else")
    func send() async throws {
        try await ConsoleSession.open { console in
            let store = console.server.store
            let app = try await store.createApp(
                AppDraft(name: "Tea", platform: "ios", bundleID: "org.tea", sdkKey: "key"),
                in: console.workspace,
                noting: nil,
                now: Date()
            )
            for (name, country) in [("yuki", "JP"), ("ken", "JP"), ("ana", "BR")] {
                _ = try await store.ingest(
                    [
                        IngestRequest(
                            workspace: console.workspace,
                            source: .device(
                                .init(id: UUID(), platform: "ios"),
                                app: app.id
                            ),
                            items: [
                                IngestItem(
                                    recordID: nil,
                                    user: .external(name),
                                    time: Date(),
                                    content: .attributes(
                                        AttributeChanges(["country": .string(country)])
                                    )
                                ),
                                IngestItem(
                                    recordID: nil,
                                    user: .external(name),
                                    time: Date(),
                                    content: .pushRegistered(
                                        PushRegistration(
                                            provider: .apns,
                                            token: name,
                                            authorization: .authorized,
                                            registeredAt: Date()
                                        )
                                    )
                                ),
                            ]
                        )
                    ],
                    now: Date()
                )
            }
            let send = try await console.server.composer.send(
                SendContent(
                    message: PushMessage(body: "Tea is ready"),
                    audience: .matching(
                        SegmentQuery(
                            filter: #"{"attribute":"country","test":"equal","value":"JP"}"#
                        )
                    )
                ),
                by: .commandLine(account: "mio", console.workspace)
            )
            var rows: [DispatchReport] = []
            for _ in 0..<600 where rows.count < 2 {
                try await Task.sleep(for: .milliseconds(10))
                rows = try await store.dispatches(of: send.id, limit: 10)
            }
            #expect(Set(rows.map(\.userName)) == ["yuki", "ken"])
        }
    }
}
