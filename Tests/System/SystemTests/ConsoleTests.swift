import Accounts
import Credentials
import Foundation
import Model
import Ports
import Server
import Testing

@Suite("The console over the real store")
struct ConsoleTests {
    @Test("a key made in the settings works on the API until it is revoked there")
    func key() async throws {
        try await ConsoleSession.open { console in
            let made = try await console.post(
                "/console/settings/keys",
                ["name": "backend", "permission": "users.track"]
            )
            let start = try #require(made.range(of: "<code id=\"secret\">"))
            let secret = String(made[start.upperBound...].prefix { $0 != "<" })
            let track = #"{"attributes": [{"external_id": "yuki", "first_name": "Yuki"}]}"#
            #expect(try await console.call("/users/track", key: secret, json: track) == 201)
            let send = #"{"external_user_ids": ["yuki"], "messages": {}}"#
            #expect(try await console.call("/messages/send", key: secret, json: send) == 403)
            try await console.post(
                "/console/settings/keys/revoke",
                ["name": "backend"],
                tokenFrom: "/console/settings/keys"
            )
            #expect(try await console.call("/users/track", key: secret, json: track) == 401)
        }
    }

    @Test("a user from the API is in the list, the search and on a page of their own")
    func user() async throws {
        try await ConsoleSession.open { console in
            let secret = try await console.server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", console.workspace)
            )
            let status = try await console.call(
                "/users/track",
                key: secret,
                json: """
                    {"attributes": [{"external_id": "yuki", "first_name": "Yuki",
                      "email": "yuki@example.com", "stamps": 8, "note": "<script>"}],
                     "events": [{"external_id": "yuki", "name": "viewed_menu",
                      "time": "2026-01-01T09:00:00Z", "properties": {"items": 3}}]}
                    """
            )
            #expect(status == 201)
            let list = try await console.get("/console/users")
            #expect(list.contains("yuki@example.com"))
            #expect(try await console.get("/console/users?text=yu").contains("Yuki"))
            #expect(try await !console.get("/console/users?text=zz").contains("yuki@"))
            let row = try #require(list.range(of: "data-href=\""))
            let path = String(list[row.upperBound...].prefix { $0 != "\"" })
            let page = try await console.get(path)
            #expect(page.contains("stamps"))
            #expect(page.contains("&lt;script&gt;"))
            #expect(try await console.get(path + "/timeline").contains("viewed_menu"))
        }
    }

    @Test("an app and a member are added; a broken certificate is refused with the reason")
    func settings() async throws {
        try await ConsoleSession.open { console in
            let apps = try await console.post(
                "/console/settings/apps",
                ["name": "Kissa", "platform": "ios", "identifier": "com.example.kissa"]
            )
            #expect(apps.contains("com.example.kissa"))
            #expect(apps.contains("sdk_"))
            let team = try await console.post(
                "/console/settings/team",
                [
                    "name": "Ana", "email": "ana@example.com", "password": "another long one",
                    "role": "viewer",
                ]
            )
            #expect(team.contains("ana@example.com"))
            let again = try await console.post(
                "/console/settings/team",
                [
                    "name": "Ana", "email": "ana@example.com", "password": "another long one",
                    "role": "viewer",
                ]
            )
            #expect(again.contains("aria-invalid=\"true\""))
        }
    }

    @Test("a VAPID key is made in the settings, kept when they are saved again, and tried")
    func vapid() async throws {
        try await ConsoleSession.open { console in
            try await console.post(
                "/console/settings/apps",
                ["name": "Shop", "platform": "web", "identifier": "https://shop.example"]
            )
            let app = try #require(
                try await console.server.store.apps(in: console.workspace).first
            )
            let path = "/console/settings/apps/\(app.id)/credentials"
            let page = "/console/settings/apps"
            var form = ["kind": "vapid", "contact": "nobody", "site": "https://shop.example/"]
            let refused = try await console.post(path, form, tokenFrom: page)
            #expect(refused.contains("neither mailto:"))
            form["contact"] = "mailto:shop@example.com"
            try await console.post(path, form, tokenFrom: page)
            let key = try #require(
                try await console.server.credentials.applicationServerKey(of: app)
            )
            form["contact"] = "mailto:other@example.com"
            let saved = try await console.post(path, form, tokenFrom: page)
            #expect(saved.contains(key))
            #expect(saved.contains("mailto:other@example.com"))
            let tried = try await console.post(
                "/console/settings/apps/\(app.id)/test",
                [:],
                tokenFrom: page
            )
            #expect(tried.contains("Connected</span> Web Push"))
        }
    }

    @Test("a blocked event is refused by name, and everything done is in the audit log")
    func blocked() async throws {
        try await ConsoleSession.open { console in
            let news = try await console.post(
                "/console/news/new",
                ["title": "We are open", "text": "From Monday on", "publication": "now"]
            )
            #expect(news.contains("We are open"))
            let secret = try await console.server.accounts.createAPIKey(
                name: "test",
                permissions: ["*"],
                by: .commandLine(account: "test", console.workspace)
            )
            let event = """
                {"events": [{"external_id": "yuki", "name": "noise",
                  "time": "2026-01-01T09:00:00Z"}]}
                """
            #expect(try await console.call("/users/track", key: secret, json: event) == 201)
            #expect(try await console.get("/console/events").contains("noise"))
            try await console.post(
                "/console/events/block",
                ["kind": "event", "name": "noise", "block": "yes"],
                tokenFrom: "/console/events"
            )
            _ = try await console.call("/users/track", key: secret, json: event)
            let yuki = try #require(
                try await console.server.store.profile(.external("yuki"), in: console.workspace)
            )
            #expect(try await console.server.store.events(of: yuki.id, limit: 10).count == 1)
            let log = try await console.get("/console/settings/audit")
            #expect(log.contains("noise"))
            #expect(log.contains("We are open"))
            #expect(log.contains("Hanae Mori"))
        }
    }

    @Test("limits and roles are saved; nobody changes themselves")
    func limits() async throws {
        try await ConsoleSession.open { console in
            let page = try await console.post(
                "/console/settings/limits",
                ["capMessages": "3", "capDays": "7", "quietStart": "22:00", "quietEnd": "08:00"]
            )
            #expect(page.contains("value=\"22:00\""))
            let limits = try await console.server.store.limits(of: console.workspace)
            #expect(limits.caps.map(\.messages) == [3])
            #expect(limits.quietHours?.end.description == "08:00")
            let team = try await console.post(
                "/console/settings/team",
                [
                    "name": "Ana", "email": "ana@example.com", "password": "another long one",
                    "role": "viewer",
                ]
            )
            #expect(team.contains("ana@example.com"))
            let ana = try #require(
                try await console.server.members.members(in: console.workspace)
                    .first { $0.name == "Ana" }
            )
            try await console.post(
                "/console/settings/team/\(ana.id)/role",
                ["role": "marketer", "email": ana.email],
                tokenFrom: "/console/settings/team"
            )
            let roles = try await console.server.members.members(in: console.workspace)
            #expect(roles.map(\.role.rawValue).sorted() == ["administrator", "marketer"])
            try await console.post(
                "/console/settings/team/\(ana.id)/remove",
                ["email": ana.email],
                tokenFrom: "/console/settings/team"
            )
            #expect(try await console.server.members.members(in: console.workspace).count == 1)
        }
    }
}
