import Accounts
import ConnectedContent
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Server
import Testing
import WebPages

@testable import Console

/// Setting up a provider in the console and logging in with it, over HTTP.
@Suite("Single sign-on in the console")
struct SingleSignOnTests {
    private typealias Work =
        @Sendable (inout ConsoleBrowser, HTTPProvider, any Store) async throws -> Void

    private static let admin = "admin@example.com"

    private static func open(isAllowed: Bool = true, _ work: @escaping Work) async throws {
        let allowed = isAllowed ? try AllowList("127.0.0.1") : AllowList()
        try await HTTPProvider.run(now: { SampleWorkspace.now }) { provider in
            try await ConsoleBrowser.open(
                .empty,
                settings: { $0.openIDAllowed = allowed }
            ) { browser, store in
                try await work(&browser, provider, store)
            }
        }
    }

    private static func fields(
        _ provider: HTTPProvider,
        _ changes: [String: String] = [:]
    ) -> [(name: String, value: String)] {
        let fields = [
            "name": "Tea ID", "issuer": provider.issuer, "client_id": HTTPProvider.client,
            "secret": HTTPProvider.secret, "second_factor": "yes", "domains": "",
            "role": "viewer",
        ]
        return fields.merging(changes) { $1 }.map { ($0.key, $0.value) }
    }

    /// Sets the provider up as an administrator, and forgets the administrator.
    private static func setUp(
        _ browser: inout ConsoleBrowser,
        _ provider: HTTPProvider,
        _ changes: [String: String] = [:]
    ) async throws {
        try await browser.logIn()
        let page = try await post(ConsolePath.singleSignOn, &browser, fields(provider, changes))
        #expect(page.status == .seeOther)
        browser.forgetCookies()
    }

    private static func post(
        _ path: ConsolePath,
        _ browser: inout ConsoleBrowser,
        _ fields: [(name: String, value: String)]
    ) async throws -> ConsoleBrowser.Page {
        let csrf = try await browser.get(ConsolePath.singleSignOn.path).field("csrf") ?? ""
        return try await browser.post(path.path, fields + [("csrf", csrf)])
    }

    private static func begin(
        _ browser: inout ConsoleBrowser,
        back: String = ""
    ) async throws -> String {
        let query = FormFields([]).setting("back", to: back)
        let page = try await browser.get(ConsolePath.loginOpenID("1").query(query))
        #expect(page.status == .seeOther)
        return try #require(page.location)
    }

    @Test("an administrator sets a provider up; the login page offers it and leads there and back")
    func logIn() async throws {
        try await Self.open { browser, provider, store in
            #expect(try await !browser.get(ConsolePath.login.path).text.contains("/login/openid/"))
            try await browser.logIn()
            let form = try await browser.get(ConsolePath.singleSignOn.path)
            #expect(form.text.contains("http://localhost/console/login/openid/1/return"))
            browser.forgetCookies()
            try await Self.setUp(&browser, provider)

            let login = try await browser.get(ConsolePath.login.path + "?back=%2Fconsole%2Fpush")
            #expect(login.text.contains("Log in with Tea ID"))
            #expect(login.text.contains("/console/login/openid/1?back"))

            let address = try await Self.begin(&browser, back: "/console/push")
            #expect(address.hasPrefix(provider.issuer + "/authorize?"))
            #expect(!address.contains(HTTPProvider.secret))
            let back = try provider.letIn(address, email: Self.admin)
            let done = try await browser.get(back)
            #expect(done.status == .seeOther)
            #expect(done.location == "/console/push")
            let cookie = try #require(
                done.headers[values: .setCookie].first { $0.hasPrefix("noroshi_session=") }
            )
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(cookie.contains("Max-Age=43200"))
            #expect(try await browser.get(ConsolePath.pushHistory.path).status == .ok)

            // The page of the member says who that is, and releases it.
            browser.forgetCookies()
            try await browser.logIn("viewer@example.com")
            #expect(try await browser.get(ConsolePath.singleSignOn.path).status == .forbidden)
            browser.forgetCookies()
            try await browser.logIn()
            let member = try await browser.get(ConsolePath.member("1").path)
            #expect(member.text.contains("s-1"))
            let released = try await browser.post(
                ConsolePath.releaseMember("1").path,
                [("csrf", member.field("csrf") ?? "")]
            )
            #expect(released.status == .seeOther)
            #expect(
                try await store.openIDIdentities(of: MemberID(1), in: WorkspaceID(1)).isEmpty
            )
        }
    }

    @Test(
        "whoever is no member is told so, in each language",
        arguments: [
            ("en", "Nobody here has the address eve@example.org."),
            ("ja", "eve@example.org のメンバーはいません。"),
            ("pt-BR", "Não há membro com o endereço eve@example.org."),
        ]
    )
    func unknown(language: String, text: String) async throws {
        try await Self.open { browser, provider, _ in
            try await Self.setUp(&browser, provider)
            browser.language = language
            let address = try await Self.begin(&browser)
            let page = try await browser.get(try provider.letIn(address, email: "eve@example.org"))
            #expect(page.status == .forbidden)
            #expect(page.text.contains(text))
            #expect(page.text.contains("<html lang=\"\(language)\">"))
            // What came back is on no form or link of the page.
            #expect(!page.text.contains("state="))
            #expect(!page.text.contains("code="))
            #expect(
                page.headers[values: .setCookie].allSatisfy {
                    !$0.hasPrefix("noroshi_session=")
                }
            )
        }
    }

    @Test("an answer in another browser, or of an attacker's sign-in, opens nothing")
    func foreignAnswer() async throws {
        try await Self.open { browser, provider, _ in
            try await Self.setUp(&browser, provider)
            let address = try await Self.begin(&browser)
            let back = try provider.letIn(address, email: Self.admin)
            // The victim has no sign-in under way, or one of their own.
            browser.forgetCookies()
            let first = try await browser.get(back)
            #expect(first.status == .forbidden)
            _ = try await Self.begin(&browser)
            let second = try await browser.get(back)
            #expect(second.status == .forbidden)
            #expect(second.text.contains("Start again."))
            let changed = try await browser.get(back.replacing("state=", with: "state=x"))
            #expect(changed.status == .forbidden)
            let bare = try await browser.get(ConsolePath.loginOpenIDReturn("1").path)
            #expect(bare.status == .forbidden)
            #expect(try await browser.get(ConsolePath.overview.path).status == .seeOther)
        }
    }

    @Test("a token with another nonce is refused, and the audit log says why")
    func nonce() async throws {
        try await Self.open { browser, provider, _ in
            try await Self.setUp(&browser, provider)
            let address = try await Self.begin(&browser)
            let back = try provider.letIn(address, email: Self.admin, ["nonce": "another"])
            let page = try await browser.get(back)
            #expect(page.status == .forbidden)
            #expect(page.text.contains("Logging in with Tea ID did not work."))
            try await browser.logIn()
            let log = try await browser.get(ConsolePath.auditLog.path)
            #expect(log.text.contains("its nonce differs"))
        }
    }

    @Test(
        "nobody is sent to another host afterwards",
        arguments: ["https://evil.example", "//evil.example", "/console/\\evil", "/consoles"]
    )
    func openRedirect(back: String) async throws {
        try await Self.open { browser, provider, _ in
            try await Self.setUp(&browser, provider)
            let address = try await Self.begin(&browser, back: back)
            let page = try await browser.get(try provider.letIn(address, email: Self.admin))
            #expect(page.location == ConsolePath.overview.path)
        }
    }

    @Test("a workspace that has no provider, and one that is not there, lead to the login")
    func noProvider() async throws {
        try await Self.open { browser, _, _ in
            for workspace in ["1", "99"] {
                let page = try await browser.get(ConsolePath.loginOpenID(workspace).path)
                #expect(page.location == ConsolePath.login.path)
            }
        }
    }

    @Test("where the provider is the only way, the login page asks for no password")
    func onlyWay() async throws {
        try await Self.open { browser, provider, _ in
            try await Self.setUp(&browser, provider, ["only_way": "yes"])
            let login = try await browser.get(ConsolePath.login.path)
            #expect(!login.text.contains("type=\"password\""))
            #expect(!login.text.contains("data-passkey"))
            #expect(login.text.contains("Log in with Tea ID"))
            // Nor is one taken that is sent without the form.
            let fields = [
                ("email", Self.admin), ("password", SampleWorkspace.password),
                ("token", Self.loginToken(login)),
            ]
            let page = try await browser.post(ConsolePath.login.path, fields)
            #expect(page.status == .forbidden)
            #expect(page.text.contains("Members of this workspace log in with Tea ID only."))
        }
    }

    private static func loginToken(_ page: ConsoleBrowser.Page) -> String {
        let cookie = page.headers[values: .setCookie].first { $0.hasPrefix("noroshi_login=") }
        return String((cookie ?? "").dropFirst("noroshi_login=".count).prefix { $0 != ";" })
    }

    @Test(
        "a provider's sign-in counts as one with a second factor, if it is to",
        arguments: [
            true, false,
        ]
    )
    func secondFactor(counts: Bool) async throws {
        try await Self.open { browser, provider, store in
            try await Self.setUp(&browser, provider, ["second_factor": counts ? "yes" : ""])
            _ = try await store.changeWorkspace(WorkspaceID(1)) { settings in
                var settings = settings
                settings.requiresSecondFactor = true
                let record = AuditRecord(
                    at: SampleWorkspace.now,
                    origin: .commandLine,
                    author: "test",
                    action: "workspace_changed",
                    subject: ""
                )
                return (settings, record)
            }
            let address = try await Self.begin(&browser)
            _ = try await browser.get(try provider.letIn(address, email: Self.admin))
            let page = try await browser.get(ConsolePath.overview.path)
            #expect(page.location == (counts ? nil : ConsolePath.secondFactor.path))
        }
    }

    @Test("a look at the provider says that it works, or what is wrong, and stores nothing")
    func look() async throws {
        try await Self.open { browser, provider, store in
            try await browser.logIn()
            func look(_ issuer: String) async throws -> ConsoleBrowser.Page {
                try await Self.post(
                    ConsolePath.trySingleSignOn,
                    &browser,
                    Self.fields(provider, ["issuer": issuer])
                )
            }
            let good = try await look(provider.issuer)
            #expect(good.text.contains("mark good"))
            #expect(good.text.contains("client_secret_basic"))
            #expect(!good.text.contains(HTTPProvider.secret))
            #expect(good.text.contains("value=\"Tea ID\""))
            let slash = try await look(provider.issuer + "/")
            #expect(slash.text.contains("mark bad"))
            #expect(slash.text.contains("calls itself"))
            let moved = try await look(provider.issuer + "/moved")
            #expect(moved.text.contains("answered 302"))
            let wrong = try await look("login")
            #expect(wrong.status == .unprocessableContent)
            #expect(try await store.openIDProviders().isEmpty)
        }
    }

    @Test("an address inside the network is asked only if the operator allows it")
    func address() async throws {
        try await Self.open(isAllowed: false) { browser, provider, _ in
            try await browser.logIn()
            let page = try await Self.post(
                ConsolePath.trySingleSignOn,
                &browser,
                Self.fields(provider)
            )
            #expect(page.text.contains("see the setting openid-allow"))
        }
    }

    @Test("the form says what is wrong, keeps what was typed, and saves itself unchanged")
    func form() async throws {
        try await Self.open { browser, provider, store in
            try await browser.logIn()
            let wrong = try await Self.post(
                ConsolePath.singleSignOn,
                &browser,
                Self.fields(provider, ["secret": "", "domains": "no_domain"])
            )
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("value=\"no_domain\""))
            #expect(wrong.text.contains("Enter the secret of this client."))
            let changes = [
                "domains": "example.com, tea.example", "role": "marketer", "only_way": "yes",
            ]
            _ = try await Self.post(
                ConsolePath.singleSignOn,
                &browser,
                Self.fields(provider, changes)
            )
            let before = try await store.openIDProvider(of: WorkspaceID(1))
            let box = try await store.openIDSecret(of: WorkspaceID(1))
            #expect(before?.domains == ["example.com", "tea.example"])
            let page = try await browser.get(ConsolePath.singleSignOn.path)
            #expect(!page.text.contains(HTTPProvider.secret))
            let sent = try await browser.post(
                ConsolePath.singleSignOn.path,
                page.form(ConsolePath.singleSignOn.path)
            )
            #expect(sent.status == .seeOther)
            #expect(try await store.openIDProvider(of: WorkspaceID(1)) == before)
            #expect(try await store.openIDSecret(of: WorkspaceID(1)) == box)
            let removed = try await Self.post(ConsolePath.removeSingleSignOn, &browser, [])
            #expect(removed.status == .seeOther)
            #expect(try await store.openIDProviders().isEmpty)
        }
    }
}
