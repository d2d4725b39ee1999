import Accounts
import Foundation
import Model
import NoroshiWire
import Ports
import Server
import Testing

@Suite("A push in the console's form")
struct PushEditingTests {
    private struct Fixture {
        var console: ConsoleSession
        var key: String

        /// A send of everything that the REST API can say and the form cannot show.
        func schedule() async throws -> Send {
            let status = try await console.call(
                "/users/track",
                key: key,
                json: #"{"attributes": [{"external_id": "yuki"}, {"external_id": "mio"}]}"#
            )
            #expect(status == 201)
            let answer = try await console.ask(
                "/messages/schedule/create",
                key: key,
                json: """
                    {"external_user_ids": ["yuki", "mio"],
                     "recipient_subscription_state": "opted_in",
                     "schedule": {"time": "2099-03-01T09:00:30Z", "in_local_time": true},
                     "trigger_properties": {"table": 4},
                     "messages": {
                      "apple_push": {"alert": {"title": "Tea", "body": "Matcha"}, "sound": "gong.caf",
                        "interruption_level": "critical", "relevance_score": 0.5,
                        "collapse_id": "tea", "mutable_content": true},
                      "android_push": {"title": "Tea", "alert": "Matcha on Android",
                        "notification_channel_id": "tea", "custom_uri": "https://tea.example/"}}}
                    """
            )
            #expect(answer.contains("schedule_id"), "\(answer)")
            let sends = try await console.server.store.sends(
                in: console.workspace,
                limit: 1,
                offset: 0
            )
            return try #require(sends.first)
        }

        /// The form at an address as a browser would post it back.
        func form(_ path: String) async throws -> [String: String] {
            let page = try await console.get(path)
            var fields: [String: String] = [:]
            for match in page.matches(of: /<input [^>]*>/) {
                let tag = String(match.output)
                let kind = attribute("type", of: tag) ?? "text"
                guard let name = attribute("name", of: tag), name != "csrf",
                    !["radio", "checkbox"].contains(kind) || tag.contains(" checked")
                else { continue }
                fields[name] = attribute("value", of: tag) ?? ""
            }
            for match in page.matches(of: /<textarea[^>]* name="(\w+)"[^>]*>\n?([^<]*)</) {
                fields[String(match.1)] = plain(String(match.2))
            }
            for match in page.matches(of: /<select[^>]* name="(\w+)"[^>]*>(.*?)<\/select>/) {
                let chosen = match.2.firstMatch(of: /value="([^"]*)" selected/)
                fields[String(match.1)] = chosen.map { plain(String($0.1)) } ?? ""
            }
            return fields
        }

        private func attribute(_ name: String, of tag: String) -> String? {
            guard let start = tag.range(of: " \(name)=\"") else { return nil }
            return plain(String(tag[start.upperBound...].prefix { $0 != "\"" }))
        }

        private func plain(_ text: String) -> String {
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x2F;", "/")]
                .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
                .replacingOccurrences(of: "&#x3D;", with: "=")
                .replacingOccurrences(of: "&amp;", with: "&")
        }
    }

    private func run(_ work: @escaping @Sendable (Fixture) async throws -> Void) async throws {
        try await ConsoleSession.open { console in
            let key = try await console.server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", console.workspace)
            )
            try await work(Fixture(console: console, key: key))
        }
    }

    @Test("keeps what it does not show, and changes a text on every platform that had it")
    func edit() async throws {
        try await run { fixture in
            let send = try await fixture.schedule()
            var form = try await fixture.form("/console/push/\(send.id)/edit")
            #expect(form["title"] == "Tea")
            form["title"] = "Tea time"
            let page = "/console/push/\(send.id)/edit"
            try await fixture.console.post("/console/push/send", form, tokenFrom: page)
            var expected = send
            expected.content.message.title = "Tea time"
            expected.content.platforms?[.android]?.message.title = "Tea time"
            let store = fixture.console.server.store
            #expect(try await store.send(send.id) == expected)
            #expect(expected.content.platforms?[.android]?.message.title == "Tea time")

            // A platform's own text is not the one that the form shows.
            form = try await fixture.form(page)
            form["message"] = "Sencha"
            try await fixture.console.post("/console/push/send", form, tokenFrom: page)
            let changed = try #require(try await store.send(send.id)).content
            #expect(changed.message.body == "Sencha")
            #expect(changed.platforms?[.android]?.message.body == "Matcha on Android")
        }
    }

    @Test("repeats a push with what it does not show")
    func duplicate() async throws {
        try await run { fixture in
            let send = try await fixture.schedule()
            let page = "/console/push/\(send.id)/duplicate"
            let form = try await fixture.form(page)
            try await fixture.console.post("/console/push/send", form, tokenFrom: page)
            let sends = try await fixture.console.server.store.sends(
                in: fixture.console.workspace,
                limit: 1,
                offset: 0
            )
            let copy = try #require(sends.first)
            #expect(copy.id != send.id)
            var expected = send.content
            expected.author = "Hanae Mori"
            expected.localMoment = nil
            #expect(copy.content == expected)
        }
    }
}
