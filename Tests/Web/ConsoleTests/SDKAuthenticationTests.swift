import Console
import Foundation
import HTTPTypes
import Model
import Ports
import Testing
import WebPages
import _CryptoExtras

/// The page on which an administrator decides how an app's users are verified.
@Suite struct SDKAuthenticationTests {
    private static let path = ConsolePath.sdkAuthentication.path

    private static func publicKey() throws -> String {
        try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
    }

    private static func policy(_ store: any Store) async throws -> (SDKAuthenticationPolicy, AppID)
    {
        let app = try #require(try await store.apps(in: WorkspaceID(1)).first)
        return (app.authentication, app.id)
    }

    @Test("keys are added, exchanged and deleted, and tokens are required with one only")
    func life() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let (before, app) = try await Self.policy(store)
            #expect(before == SDKAuthenticationPolicy())
            let csrf = try await browser.get(Self.path).field("csrf") ?? ""
            func post(_ verb: String, _ fields: [(name: String, value: String)]) async throws
                -> ConsoleBrowser.Page
            {
                try await browser.post(
                    Self.path,
                    [("csrf", csrf), ("app", "\(app)"), ("verb", verb)] + fields
                )
            }
            browser.language = "pt-BR"
            let early = try await post("mode", [("mode", "required")])
            #expect(early.status == .unprocessableContent)
            #expect(early.text.contains("Adicione uma primeiro."))
            browser.language = "en"

            let key = try Self.publicKey()
            let pasted = key.replacing("\n", with: "\r\n")
            let wrong = try await post("add", [("description", "March"), ("key", "nonsense")])
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("value=\"March\""))
            #expect(
                try await post("add", [("description", "March"), ("key", pasted)]).status
                    == .seeOther
            )
            #expect(
                try await post(
                    "add",
                    [("description", "April <b>"), ("key", try Self.publicKey())]
                ).status == .seeOther
            )
            let keys = try await Self.policy(store).0.keys
            #expect(keys.map(\.description) == ["March", "April <b>"])
            #expect(keys[0].publicKey == key)
            let shown = try await browser.get(Self.path)
            #expect(shown.text.contains("April &lt;b&gt;"))

            let primary = try await post("delete", [("id", keys[0].id.uuidString)])
            #expect(primary.status == .unprocessableContent)
            _ = try await post("primary", [("id", keys[1].id.uuidString)])
            _ = try await post("delete", [("id", keys[0].id.uuidString)])
            _ = try await post("mode", [("mode", "required")])
            let after = try await Self.policy(store).0
            #expect(after.mode == .required)
            #expect(after.keys == [keys[1]])
            let log = try await store.audit(
                in: WorkspaceID(1),
                matching: AuditQuery(text: "authentication_changed")
            )
            #expect(log.total == 5)
        }
    }

    @Test("what names no app, no verb or no key of this workspace is not there")
    func nowhere() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let (before, app) = try await Self.policy(store)
            let csrf = try await browser.get(Self.path).field("csrf") ?? ""
            for fields in [
                [("app", "4711"), ("verb", "mode"), ("mode", "optional")],
                [("app", "\(app)"), ("verb", "mode"), ("mode", "sometimes")],
                [("app", "\(app)"), ("verb", "delete"), ("id", "first")],
                [("app", "\(app)")],
            ] {
                let page = try await browser.post(
                    Self.path,
                    [(name: "csrf", value: csrf)] + fields.map { (name: $0.0, value: $0.1) }
                )
                #expect(page.status == .notFound)
            }
            let (after, _) = try await Self.policy(store)
            #expect(after == before)
        }
    }

    @Test("devices are counted after the page has come, and in what is asked before a change")
    func counts() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let (_, app) = try await Self.policy(store)
            let devices = try await store.namedDevices(of: app)
            try #require(devices.unproved > 0)
            let count = "\(devices.unproved) of \(devices.all) devices"
            let mode = ConsolePath.sdkAuthenticationMode("\(app)").path
            let proof = ConsolePath.appProof("\(app)").path
            for (page, part) in [(Self.path, mode), (ConsolePath.apps.path, proof)] {
                let shown = try await browser.get(page)
                #expect(shown.text.contains("data-later=\"\(part)\""))
                #expect(!shown.text.contains(count))
                #expect(try await browser.get(part).text.contains(count))
            }
            let choices = try await browser.get(mode)
            #expect(choices.text.contains("data-confirm=\"Require signed tokens"))
            for part in [
                ConsolePath.sdkAuthenticationMode("4711").path, ConsolePath.appProof("4711").path,
                ConsolePath.sdkAuthenticationMode("x").path,
            ] {
                #expect(try await browser.get(part).status == .notFound)
            }
        }
    }
}
