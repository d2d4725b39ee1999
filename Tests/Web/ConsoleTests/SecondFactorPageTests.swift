import Accounts
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@testable import Console

/// The second factor in the console: set up, asked for, required, lost.
@Suite struct SecondFactorPageTests {
    private static let viewer = "viewer@example.com"

    /// Sets up the second factor of the member who is logged in, and gives the recovery codes.
    private func setUp(_ browser: inout ConsoleBrowser) async throws -> [String] {
        let csrf = try await browser.get(ConsolePath.secondFactor.path).field("csrf") ?? ""
        let shown = try await browser.post(
            ConsolePath.secondFactorStep("begin").path,
            [("csrf", csrf), ("present", SampleWorkspace.password)]
        )
        #expect(shown.text.contains("<svg"))
        #expect(shown.text.contains("otpauth://totp/"))
        #expect(!shown.text.contains("recovery-codes"))
        let key = try #require(
            shown.text.firstMatch(of: /<code id="factor-key">([A-Z2-7 ]+)</).map { $0.output.1 }
        )
        let totp = TOTP(secret: Self.bytes(String(key)))
        let step = TOTP.step(at: SampleWorkspace.now)
        let wrong = try await browser.post(
            ConsolePath.secondFactorStep("confirm").path,
            [("csrf", csrf), ("code", "12345")]
        )
        #expect(wrong.status == .unprocessableContent)
        #expect(!wrong.text.contains(key))
        // The period before: the current one is for the login.
        let done = try await browser.post(
            ConsolePath.secondFactorStep("confirm").path,
            [("csrf", csrf), ("code", totp.code(step: step - 1))]
        )
        let codes = try #require(
            done.text.firstMatch(of: /<pre id="recovery-codes">([^<]+)</).map { $0.output.1 }
        ).split(separator: "\n").map(String.init)
        #expect(codes.count == 10)
        let again = try await browser.get(ConsolePath.secondFactor.path)
        #expect(!again.text.contains(codes[0]))
        #expect(again.text.contains("10 left"))
        return [totp.code(step: step)] + codes
    }

    /// RFC 4648, read by hand.
    private static func bytes(_ text: String) -> Data {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = text.compactMap { alphabet.firstIndex(of: $0) }.flatMap { value in
            (0..<5).map { value >> (4 - $0) & 1 }
        }
        return Data(
            stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
                bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
            }
        )
    }

    private func enter(
        _ code: String,
        _ browser: inout ConsoleBrowser,
        back: String = ""
    ) async throws -> ConsoleBrowser.Page {
        let form = try await browser.get(ConsolePath.loginCode.path)
        return try await browser.post(
            ConsolePath.loginCode.path,
            [("token", form.field("token") ?? ""), ("code", code), ("back", back)]
        )
    }

    @Test("after the password the code is asked for; until then no page opens")
    func logIn() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn(Self.viewer)
            let codes = try await setUp(&browser)
            var other = browser
            other.forgetCookies()
            let first = try await other.logIn(Self.viewer)
            #expect(first.location?.hasPrefix(ConsolePath.loginCode.path) == true)
            #expect(try await other.get(ConsolePath.overview.path).status == .seeOther)
            let asked = try await other.get(first.location ?? "")
            #expect(asked.status == .ok)
            #expect(!asked.text.contains("role=\"alert\""))
            let wrong = try await enter("000", &other)
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("role=\"alert\""))
            let done = try await enter(codes[0], &other, back: "https://evil.example")
            #expect(done.location == ConsolePath.overview.path)
            #expect(try await other.get(ConsolePath.overview.path).status == .ok)
            // With a recovery code, to where one wanted to go.
            var third = browser
            third.forgetCookies()
            try await third.logIn(Self.viewer)
            let back = try await enter(codes[1], &third, back: ConsolePath.users.path)
            #expect(back.location == ConsolePath.users.path)
            #expect(try await third.get(ConsolePath.secondFactor.path).text.contains("9 left"))
        }
    }

    @Test("a code from a form of elsewhere, or without a password before it, is not looked at")
    func foreign() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn(Self.viewer)
            let codes = try await setUp(&browser)
            var other = browser
            other.forgetCookies()
            let none = try await other.post(
                ConsolePath.loginCode.path,
                [("token", "x"), ("code", codes[1])]
            )
            #expect(none.location?.hasPrefix(ConsolePath.login.path) == true)
            try await other.logIn(Self.viewer)
            let guess = try await other.post(
                ConsolePath.loginCode.path,
                [("token", "guess"), ("code", codes[1])]
            )
            #expect(guess.location == nil)
            #expect(try await other.get(ConsolePath.overview.path).status == .seeOther)
        }
    }

    @Test("where a second factor is required, whoever has none is led to it from every page")
    func required() async throws {
        try await ConsoleBrowser.open { browser, store in
            var viewer = browser
            try await viewer.logIn(Self.viewer)
            #expect(try await viewer.get(ConsolePath.users.path).status == .ok)
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.workspace.path)
            let saved = try await browser.post(
                ConsolePath.workspace.path,
                [
                    ("csrf", page.field("csrf") ?? ""), ("name", page.field("name") ?? ""),
                    ("time_zone", "Asia/Tokyo"), ("currency", "JPY"),
                    ("second_factor", "required"),
                ]
            )
            #expect(saved.status == .seeOther)
            #expect(
                try await store.workspace(WorkspaceID(1))?.settings.requiresSecondFactor == true
            )
            for path in [ConsolePath.users, .overview, .account, .pushHistory] {
                let page = try await viewer.get(path.path)
                #expect(page.location == ConsolePath.secondFactor.path, "\(path)")
            }
            let ended = try await viewer.post(
                ConsolePath.endSessions.path,
                [("csrf", page.field("csrf") ?? "")]
            )
            #expect(ended.location == ConsolePath.secondFactor.path)
            let form = try await viewer.get(ConsolePath.secondFactor.path)
            #expect(form.text.contains("requires a second factor"))
            _ = try await setUp(&viewer)
            #expect(try await viewer.get(ConsolePath.users.path).status == .ok)
        }
    }

    @Test("an administrator removes a lost second factor, and the password alone is enough again")
    func lost() async throws {
        try await ConsoleBrowser.open { browser, store in
            var viewer = browser
            try await viewer.logIn(Self.viewer)
            _ = try await setUp(&viewer)
            let entries = try await store.memberEntries(
                in: WorkspaceID(1),
                matching: .email(Self.viewer),
                limit: 1,
                offset: 0
            ).entries
            let id = try #require(entries.first?.member.id)
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.member("\(id)").path)
            #expect(page.text.contains(ConsolePath.removeSecondFactor("\(id)").path))
            let removed = try await browser.post(
                ConsolePath.removeSecondFactor("\(id)").path,
                [("csrf", page.field("csrf") ?? "")]
            )
            #expect(removed.status == .seeOther)
            var other = viewer
            other.forgetCookies()
            let done = try await other.logIn(Self.viewer)
            #expect(done.location == ConsolePath.overview.path)
        }
    }
}
