import Accounts
import HTTPTypes
import Model
import SampleWorkspace
import Testing
import WebPages

@testable import Console

@Suite struct LoginTests {
    @Test("without a session every page leads to the login, which leads back")
    func redirect() async throws {
        try await ConsoleBrowser.open { browser in
            let page = try await browser.get(ConsolePath.pushHistory.path)
            #expect(page.status == .seeOther)
            #expect(page.location == "/console/login?back=%2Fconsole%2Fpush")
            let form = try await browser.get(page.location ?? "")
            #expect(form.field("back") == "/console/push")
            #expect(!form.text.contains("id=\"refused\""))
        }
    }

    @Test("a session's cookie is out of reach of scripts and other sites")
    func cookie() async throws {
        for isSecure in [false, true] {
            try await ConsoleBrowser.open(isSecure: isSecure) { browser in
                let page = try await browser.logIn()
                #expect(page.location == ConsolePath.overview.path)
                let cookie = page.headers[values: .setCookie].first {
                    $0.hasPrefix("noroshi_session=")
                }
                let text = try #require(cookie)
                #expect(text.contains("HttpOnly"))
                #expect(text.contains("SameSite=Lax"))
                #expect(text.contains("Secure") == isSecure)
            }
        }
    }

    @Test("a wrong password keeps the e-mail, marks the fields and says so")
    func wrong() async throws {
        try await ConsoleBrowser.open { browser in
            let form = try await browser.get(ConsolePath.login.path)
            let page = try await browser.post(
                ConsolePath.login.path,
                [
                    ("email", "admin@example.com"), ("password", "candle"),
                    ("token", form.field("token") ?? ""),
                ]
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.field("email") == nil)
            #expect(page.text.contains("value=\"admin@example.com\""))
            #expect(page.text.contains("aria-invalid=\"true\""))
            #expect(page.text.contains("role=\"alert\""))
        }
    }

    @Test("a login form stays good when another window shows one too, or is refused")
    func severalForms() async throws {
        try await ConsoleBrowser.open { browser in
            let first = try await browser.get(ConsolePath.login.path).field("token") ?? ""
            let second = try await browser.get(ConsolePath.login.path).field("token") ?? ""
            let refused = try await browser.post(
                ConsolePath.login.path,
                [("email", "admin@example.com"), ("password", "candle"), ("token", second)]
            )
            #expect(refused.status == .unprocessableContent)
            let page = try await browser.post(
                ConsolePath.login.path,
                [
                    ("email", "admin@example.com"), ("password", SampleWorkspace.password),
                    ("token", first),
                ]
            )
            #expect(page.location == ConsolePath.overview.path)
        }
    }

    @Test("a login form from elsewhere is not accepted")
    func foreignLogin() async throws {
        try await ConsoleBrowser.open { browser in
            _ = try await browser.get(ConsolePath.login.path)
            let page = try await browser.post(
                ConsolePath.login.path,
                [("email", "admin@example.com"), ("password", "lighthouse"), ("token", "guess")]
            )
            #expect(page.location == nil)
        }
    }

    @Test(
        "after the login nobody is sent to another host",
        arguments: ["https://evil.example", "//evil.example", "/console/\\evil", "/consoles"]
    )
    func openRedirect(back: String) async throws {
        try await ConsoleBrowser.open { browser in
            let form = try await browser.get(ConsolePath.login.path)
            let page = try await browser.post(
                ConsolePath.login.path,
                [
                    ("email", "admin@example.com"), ("password", "lighthouse"),
                    ("token", form.field("token") ?? ""), ("back", back),
                ]
            )
            #expect(page.location == ConsolePath.overview.path)
        }
    }

    @Test("logging out ends the session")
    func logOut() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.overview.path)
            #expect(page.status == .ok)
            let out = try await browser.post(
                ConsolePath.logout.path,
                [("csrf", page.field("csrf") ?? "")]
            )
            #expect(out.location == ConsolePath.login.path)
            #expect(try await browser.get(ConsolePath.overview.path).status == .seeOther)
        }
    }

    @Test("the language can be chosen and stays")
    func language() async throws {
        try await ConsoleBrowser.open { browser in
            let page = try await browser.post(
                ConsolePath.language.path,
                [("language", "ja"), ("back", ConsolePath.login.path)]
            )
            #expect(page.location == ConsolePath.login.path)
            let form = try await browser.get(ConsolePath.login.path)
            #expect(form.text.contains("<html lang=\"ja\">"))
            #expect(form.text.contains("パスワード"))
        }
    }

    @Test(
        "who has tried too often learns why and when, in each language",
        arguments: [("en", "\u{0} min"), ("ja", "約\u{0}分後"), ("pt-BR", "\u{0} min")]
    )
    func limited(language: String, says: String) async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            browser.language = language
            for attempt in 1... {
                let form = try await browser.get(ConsolePath.login.path)
                let page = try await browser.post(
                    ConsolePath.login.path,
                    [
                        ("email", "admin@example.com"), ("password", "candle"),
                        ("token", form.field("token") ?? ""),
                    ]
                )
                if page.status == .unprocessableContent, attempt < 100 { continue }
                #expect(page.status == .tooManyRequests)
                let seconds = try #require(page.headers[.retryAfter].flatMap { Int($0) })
                #expect((1...3600).contains(seconds))
                let minutes = "\((seconds + 59) / 60)"
                #expect(page.text.contains(says.replacing("\u{0}", with: minutes)))
                #expect(page.text.contains("role=\"alert\""))
                #expect(page.text.contains("value=\"admin@example.com\""))
                return
            }
        }
    }

    @Test(
        "while too many passwords are looked at, a sign-in is to be tried again in seconds",
        arguments: [
            (Language.english, "a few seconds"), (Language.japanese, "数秒後"),
            (Language.portuguese, "alguns segundos"),
        ]
    )
    func busy(language: Language, says: String) throws {
        let book = try Localizations(console: .embedded)
        let refusal = RefusalError(.signInBusy, retryAfterSeconds: 2)
        #expect(refusal.signInStatus == .serviceUnavailable)
        #expect(book[language](refusal.reason).contains(says))
    }

    @Test("a login form that is no login form is not read to its end")
    func longForm() async throws {
        try await ConsoleBrowser.open { browser in
            let page = try await browser.post(
                ConsolePath.login.path,
                [("email", String(repeating: "a", count: 20_000))]
            )
            #expect(page.status == .contentTooLarge)
        }
    }
}
