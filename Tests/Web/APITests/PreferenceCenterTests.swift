import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Testing

@Suite("Preference centers")
struct PreferenceCenterTests {
    private static let path = "/preference_center/v1"

    private func call(
        _ client: APIClient,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue
    ) async throws -> APIClient.Answer {
        try await client.send(
            path,
            method,
            [.authorization: "Bearer \(client.secret)"],
            ByteBuffer(bytes: try JSONEncoder().encode(body))
        )
    }

    private func draft(_ more: [String: JSONValue] = [:]) -> JSONValue {
        let body: [String: JSONValue] = [
            "name": "Letters", "preference_center_page_html": "<p>Choose</p>",
            "confirmation_page_html": "<p>Thank you</p>",
        ]
        return .object(body.merging(more) { $1 })
    }

    private func make(
        _ client: APIClient,
        _ more: [String: JSONValue] = [:]
    ) async throws -> String {
        let answer = try await client.post(Self.path, draft(more))
        #expect(answer.status == .created, "\(answer.body)")
        return try #require(answer.body["preference_center_api_id"]?.stringValue)
    }

    /// The path of a user's own page.
    private func link(_ client: APIClient, _ center: String) async throws -> String {
        let answer = try await client.get("\(Self.path)/\(center)/url/ada")
        #expect(answer.status == .ok, "\(answer.body)")
        let url = try #require(answer.body["preference_center_url"]?.stringValue)
        return try #require(URL(string: url)?.path)
    }

    private func send(
        _ client: APIClient,
        _ path: String,
        _ form: String
    ) async throws -> APIClient.Page {
        try await client.page(path, .post, ByteBuffer(string: form))
    }

    @Test("they are made, listed, shown and changed; the name stays")
    func life() async throws {
        try await APIClient.run { client in
            let id = try await make(client, ["options": ["meta-viewport-content": "width=400"]])
            let list = try await client.get(Self.path + "/list")
            #expect(
                list.body["preference_centers"]?.arrayValue?.map { $0["name"] } == ["Letters"]
            )
            let shown = try await client.get("\(Self.path)/\(id)")
            #expect(shown.body["preference_center_title"] == "Preference Center")
            #expect(shown.body["preference_center_page_html"] == "<p>Choose</p>")
            #expect(
                shown.body["preference_center_options"] == ["meta-viewport-content": "width=400"]
            )
            #expect(shown.body["redirect_page_html"] == .null)
            #expect(shown.body["state"] == "active")
            let changed = try await call(
                client,
                .put,
                "\(Self.path)/\(id)",
                draft(["name": "Other", "preference_center_title": "Yours", "state": "draft"])
            )
            #expect(changed.status == .ok, "\(changed.body)")
            let again = try await client.get("\(Self.path)/\(id)")
            #expect(again.body["name"] == "Letters")
            #expect(again.body["preference_center_title"] == "Yours")
            #expect(again.body["state"] == "draft")
            // A draft is shown to nobody.
            _ = try await client.post("/users/track", ["attributes": [["external_id": "ada"]]])
            #expect(try await client.get("\(Self.path)/\(id)/url/ada").status == .notFound)
        }
    }

    @Test("what is wrong with one is named, and one that is not there is not found")
    func problems() async throws {
        try await APIClient.run { client in
            let id = try await make(client)
            let long = JSONValue.string(String(repeating: "a", count: 200_001))
            let cases: [([String: JSONValue], String)] = [
                (["name": "Letters"], "name"), (["name": "a b"], "name"), (["name": ""], "name"),
                (
                    ["name": "x", "preference_center_page_html": .null],
                    "preference_center_page_html"
                ),
                (
                    ["name": "x", "preference_center_page_html": long],
                    "preference_center_page_html"
                ),
                (["name": "x", "confirmation_page_html": "{% if %}"], "confirmation_page_html"),
                (["name": "x", "confirmation_page_html": "a\u{0}"], "confirmation_page_html"),
                (
                    [
                        "name": "x",
                        "preference_center_page_html": "{% connected_content http://a.example %}",
                    ], "preference_center_page_html"
                ),
                (["name": "x", "state": "open"], "state"),
                (["name": "x", "options": ["links-tags": []]], "options.links-tags"),
            ]
            for (more, field) in cases {
                let answer = try await client.post(Self.path, draft(more))
                #expect(answer.status == .badRequest, "\(field)")
                #expect(answer.errors.first?["field"] == .string(field), "\(answer.body)")
            }
            for path in ["7", UUID().uuidString] {
                #expect(try await client.get("\(Self.path)/\(path)").status == .notFound)
                let changed = try await call(client, .put, "\(Self.path)/\(path)", draft())
                #expect(changed.status == .notFound)
            }
            #expect(try await client.get("\(Self.path)/\(id)/url/nobody").status == .notFound)
        }
    }

    @Test("a user sees the own state and changes it; a box that is not checked unsubscribes")
    func page() async throws {
        try await APIClient.run { client in
            let tea = UUID()
            let cups = UUID()
            for (id, name) in [(tea, "Tea"), (cups, "Cups")] {
                try await client.store.createSubscriptionGroup(
                    SubscriptionGroup(
                        id: id,
                        workspace: client.workspace,
                        name: name,
                        channel: .email
                    ),
                    noting: nil,
                    now: APIClient.now
                )
            }
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        [
                            "external_id": "ada", "first_name": "<script>Ada",
                            "subscription_groups": [
                                [
                                    "subscription_group_id": .string(cups.uuidString.lowercased()),
                                    "subscription_state": "subscribed",
                                ]
                            ],
                        ]
                    ]
                ]
            )
            let group = { (id: UUID) in id.uuidString.lowercased() }
            let html = """
                <form action="{{preference_center_submit_url}}" method="post">
                {{${first_name}}} {{subscribed_state.${email_global}}}
                {{subscribed_state.${\(group(tea))}}} {{subscribed_state.${\(group(cups))}}}
                <input name="{% form_field_name :email_global_state %}">
                <input name="{% form_field_name :subscription_group \(group(tea)) %}">
                <input name="{% form_field_name :subscription_group \(group(cups)) %}"></form>
                """
            let center = try await make(
                client,
                [
                    "preference_center_page_html": .string(html),
                    "preference_center_title": "A & <b>",
                    "confirmation_page_html": .string(
                        "Now {{subscribed_state.${\(group(tea))}}}"
                    ),
                ]
            )
            let path = try await link(client, center)
            let page = try await client.page(path, .get, nil)
            #expect(page.status == .ok)
            #expect(page.text.contains("<title>A &amp; &lt;b&gt;</title>"))
            #expect(page.text.contains("subscribed\nunsubscribed subscribed"), "\(page.text)")
            #expect(page.text.contains("action=\"\(path)\""))
            #expect(page.text.contains("name=\"subscription_group:\(group(tea))\""))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("sandbox ") && policy.contains("default-src 'none'"))
            #expect(!policy.contains("allow-scripts") && !policy.contains("allow-same-origin"))
            #expect(page.headers[.cacheControl] == "no-store")
            let answer = try await send(
                client,
                path,
                "email_global_state=opted_in&subscription_group%3A\(group(tea))=subscribed"
            )
            #expect(answer.status == .ok)
            #expect(answer.text.contains("Now subscribed"), "\(answer.text)")
            let ada = try #require(await client.profile("ada"))
            #expect(ada.subscriptionGroups == [tea: .subscribed, cups: .unsubscribed])
            #expect(ada.standard[.emailSubscription] == "opted_in")
            let wrong = try await send(client, path, "email_global_state=perhaps")
            #expect(wrong.status == .badRequest)
            #expect(try await client.profile("ada")?.standard[.emailSubscription] == "opted_in")
        }
    }

    @Test("nobody can make a link for another user, or use one of a user who is gone")
    func forged() async throws {
        try await APIClient.run { client in
            _ = try await client.post("/users/track", ["attributes": [["external_id": "ada"]]])
            let path = try await link(client, try await make(client))
            let token = Array(path.dropFirst("/preferences/".count))
            for place in stride(from: 0, to: token.count, by: 7) {
                var forged = token
                forged[place] = forged[place] == "A" ? "B" : "A"
                for method in [HTTPRequest.Method.get, .post] {
                    let page = try await client.page("/preferences/" + String(forged), method, nil)
                    #expect(page.status == .notFound, "\(place)")
                }
            }
            for token in ["x", "", "%00", String(repeating: "A", count: 5_000)] {
                let page = try await client.page("/preferences/" + token, .get, nil)
                #expect(page.status == .notFound)
            }
            _ = try await client.post("/users/delete", ["external_ids": ["ada"]])
            #expect(try await client.page(path, .get, nil).status == .notFound)
        }
    }
}
