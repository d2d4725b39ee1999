import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Phones
import SampleWorkspace
import Testing
import WebPages

@Suite struct PhoneRoutesTests {
    private func open(
        _ work: @escaping @Sendable (any TestClientProtocol, SamplePhones) async throws -> Void
    ) async throws {
        let phones = SamplePhones(now: Date(timeIntervalSince1970: 1_767_225_600))
        let router = Router()
        try PhoneRoutes(host: phones, consoleAddress: "/console").add(to: router)
        try await Application(router: router).test(.router) { client in
            try await work(client, phones)
        }
    }

    @Test("the page is complete in every language and has nothing inline")
    func page() async throws {
        try await open { client, _ in
            let first = try await client.execute(uri: PhonePath.phones.path, method: .get)
            #expect(first.headers[.location] == PhonePath.phone("phone-1").path)
            for language in Language.allCases {
                let page = try await client.execute(
                    uri: PhonePath.phone("phone-1").path,
                    method: .get,
                    headers: [.acceptLanguage: language.rawValue]
                )
                let text = String(buffer: page.body)
                #expect(text.contains("<html lang=\"\(language.rawValue)\">"))
                #expect(!text.contains("⟦"))
                #expect(!text.contains("style=\""))
            }
        }
    }

    @Test("a user is logged in on a phone, where an in-app message can be tried")
    func guest() async throws {
        try await open { client, phones in
            func ask(_ body: String, site: String = "same-origin") async throws -> TestResponse {
                let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
                return try await client.execute(
                    uri: PhonePath.guests.path,
                    method: .post,
                    headers: [name: site],
                    body: ByteBuffer(string: body)
                )
            }
            let answer = try await ask(#"{"user": "mei"}"#)
            #expect(String(buffer: answer.body) == #"{"address":"\/phones\/phone-2"}"#)
            #expect(await phones.state(of: "phone-2")?.user == "mei")
            #expect(await phones.state(of: "phone-2")?.message == nil)
            let message = #"{"id": "1", "kind": "modal", "text": "Hi", "wire": "{}"}"#
            let tried = try await ask(#"{"user": "mei", "message": \#(message)}"#)
            #expect(tried.body == answer.body)
            #expect(await phones.state(of: "phone-2")?.message?.text == "Hi")
            #expect(await phones.phones().count == 2)
            for (body, site, status) in [
                (#"{"user": ""}"#, "same-origin", HTTPResponse.Status.badRequest),
                ("{}", "same-origin", .badRequest),
                (#"{"user": "mei"}"#, "cross-site", .forbidden),
            ] {
                #expect(try await ask(body, site: site).status == status)
            }
        }
    }

    @Test("the coming week is shown day by day once it was asked for")
    func week() async throws {
        try await open { client, _ in
            let path = PhonePath.week("phone-1").path
            #expect(try await client.execute(uri: path, method: .get).status == .notFound)
            #expect(try await client.execute(uri: path, method: .post).status == .accepted)
            for (language, words) in [("en", "in the app"), ("ja", "アプリ内"), ("pt-BR", "no app")] {
                let part = try await client.execute(
                    uri: path,
                    method: .get,
                    headers: [.acceptLanguage: language]
                )
                let text = String(buffer: part.body)
                #expect(text.contains("Friday tea") && text.contains(words), "\(text)")
                #expect(text.contains("&lt;Tea&gt;") && !text.contains("⟦"))
                #expect(text.components(separatedBy: "<h3>").count == 2)
            }
            let other = PhonePath.week("phone-9").path
            #expect(try await client.execute(uri: other, method: .post).status == .notFound)
        }
    }

    @Test("what a person does arrives at the phone")
    func actions() async throws {
        try await open { client, phones in
            await phones.receive(title: "Hi", body: "There", url: "aoi://menu", pairs: [])
            let id = try #require(await phones.state(of: "phone-1")?.notifications.first?.id)
            let answer = try await client.execute(
                uri: PhonePath.actions("phone-1").path,
                method: .post,
                body: ByteBuffer(string: #"{"action": "tap", "notification": "\#(id)"}"#)
            )
            #expect(answer.status == .noContent)
            let state = try #require(await phones.state(of: "phone-1"))
            #expect(state.screen == .app)
            #expect(state.app.openedBy == "Hi")
            #expect(state.app.url == "aoi://menu")
        }
    }

    @Test(
        "an action that no phone knows, or that lacks its part, is refused",
        arguments: [
            #"{"action": "explode"}"#, #"{"action": "tap"}"#, "tap",
            #"{"action": "touch", "notification": "1"}"#,
            #"{"action": "type", "notification": "1", "element": "0.1"}"#,
        ]
    )
    func badAction(body: String) async throws {
        try await open { client, _ in
            let answer = try await client.execute(
                uri: PhonePath.actions("phone-1").path,
                method: .post,
                body: ByteBuffer(string: body)
            )
            #expect(answer.status == .badRequest)
        }
    }

    @Test("another site's page cannot press anything")
    func foreign() async throws {
        try await open { client, phones in
            let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let answer = try await client.execute(
                uri: PhonePath.actions("phone-1").path,
                method: .post,
                headers: [name: "cross-site"],
                body: ByteBuffer(string: #"{"action": "openApp"}"#)
            )
            #expect(answer.status == .forbidden)
            #expect(await phones.state(of: "phone-1")?.screen == .locked)
        }
    }

    @Test("the clock of all phones is moved on, by up to a month at a time")
    func clock() async throws {
        try await open { client, phones in
            _ = try await phones.addPhone(language: "ja")
            for (body, status) in [
                (#"{"seconds": 3600}"#, HTTPResponse.Status.noContent),
                (#"{"seconds": 86400}"#, .noContent), (#"{"seconds": 0}"#, .badRequest),
                (#"{"seconds": -3600}"#, .badRequest), (#"{"seconds": 1e308}"#, .badRequest),
                (#"{"seconds": "3600"}"#, .badRequest), ("{}", .badRequest),
            ] {
                let answer = try await client.execute(
                    uri: PhonePath.clock.path,
                    method: .post,
                    body: ByteBuffer(string: body)
                )
                #expect(answer.status == status, "\(body)")
            }
            for phone in ["phone-1", "phone-2"] {
                #expect(await phones.state(of: phone)?.secondsAhead == 90_000)
            }
        }
    }

    @Test("another site's page cannot move the clock")
    func foreignClock() async throws {
        try await open { client, phones in
            let name = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let answer = try await client.execute(
                uri: PhonePath.clock.path,
                method: .post,
                headers: [name: "cross-site"],
                body: ByteBuffer(string: #"{"seconds": 3600}"#)
            )
            #expect(answer.status == .forbidden)
            #expect(await phones.state(of: "phone-1")?.secondsAhead == 0)
        }
    }

    @Test("another phone can be added")
    func add() async throws {
        try await open { client, phones in
            let answer = try await client.execute(
                uri: PhonePath.phones.path,
                method: .post,
                headers: [.acceptLanguage: "ja"]
            )
            #expect(answer.headers[.location] == PhonePath.phone("phone-2").path)
            #expect(await phones.state(of: "phone-2")?.language == "ja")
        }
    }
}
