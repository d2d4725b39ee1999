import Foundation
import HTTPTypes
import Model
import Ports
import Testing
import WebPages

@testable import Console

/// Where members are signed in, as they and administrators see it.
@Suite struct SessionPageTests {
    private static let firefox =
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    private static let safari =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
        + "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"

    @Test(
        "a browser is said in words",
        arguments: [
            (firefox, "Firefox", "Linux"), (safari, "Safari", "iPhone"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge", "Windows"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome", "Android"
            ),
            ("something else", nil, nil), ("", nil, nil),
        ] as [(String, String?, String?)]
    )
    func names(userAgent: String, browser: String?, system: String?) {
        let name = BrowserName(userAgent: userAgent)
        #expect(name.browser == browser)
        #expect(name.system == system)
    }

    @Test("a member sees the sign-ins of the account, and ends those that are elsewhere")
    func own() async throws {
        try await ConsoleBrowser.open { browser in
            var elsewhere = browser
            elsewhere.userAgent = Self.safari
            try await elsewhere.logIn("viewer@example.com")
            browser.userAgent = Self.firefox
            try await browser.logIn("viewer@example.com")
            let page = try await browser.get(ConsolePath.account.path)
            #expect(page.text.contains("Firefox on Linux"))
            #expect(page.text.contains("Safari on iPhone"))
            #expect(page.text.components(separatedBy: "This one").count == 2)
            let id = try #require(page.field("session"))
            let ended = try await browser.post(
                ConsolePath.endSessions.path,
                [("csrf", page.field("csrf") ?? ""), ("session", id)]
            )
            #expect(ended.status == .seeOther)
            #expect(try await elsewhere.get(ConsolePath.overview.path).status == .seeOther)
            let after = try await browser.get(ConsolePath.account.path)
            #expect(after.status == .ok)
            #expect(!after.text.contains("Safari on iPhone"))
        }
    }

    @Test("an administrator ends the sign-ins of a member, and stays signed in")
    func administrator() async throws {
        try await ConsoleBrowser.open { browser, store in
            var viewer = browser
            try await viewer.logIn("viewer@example.com")
            try await browser.logIn()
            let members = try await store.memberEntries(
                in: WorkspaceID(1),
                matching: .email("viewer@example.com"),
                limit: 1,
                offset: 0
            )
            let id = try #require(members.entries.first?.member.id)
            let path = ConsolePath.member("\(id)")
            let page = try await browser.get(path.path)
            #expect(page.text.contains("viewer@example.com"))
            let ended = try await browser.post(
                ConsolePath.endMemberSessions("\(id)").path,
                [("csrf", page.field("csrf") ?? ""), ("session", "")]
            )
            #expect(ended.location == FlashMessage.sessionsEnded.address(path))
            #expect(try await viewer.get(ConsolePath.overview.path).status == .seeOther)
            #expect(try await browser.get(path.path).text.contains("No sign-in is open."))
            let log = try await browser.get(
                ConsolePath.auditLog.query(FormFields([("text", "session")]))
            )
            #expect(log.text.contains("Sign-ins ended"))
        }
    }

    @Test("a member that there is not is a page that says so")
    func unknown() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            #expect(try await browser.get(ConsolePath.member("4711").path).status == .notFound)
        }
    }
}
