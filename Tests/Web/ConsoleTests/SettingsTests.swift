import Console
import Crypto
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite struct SettingsTests {
    @Test("a new key's secret is shown once")
    func key() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apiKeys.path).field("csrf") ?? ""
            let page = try await browser.post(
                ConsolePath.apiKeys.path,
                [("csrf", csrf), ("name", "etl"), ("permission", "users.track")]
            )
            let secret = try #require(
                page.text.firstMatch(of: /nrs_[A-Za-z0-9_-]{20,}/).map { String($0.output) }
            )
            let again = try await browser.get(ConsolePath.apiKeys.path)
            #expect(again.text.contains("etl"))
            #expect(!again.text.contains(secret))
        }
    }

    @Test("a key without permissions is refused and its name stays")
    func keyWithoutPermissions() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apiKeys.path).field("csrf") ?? ""
            let page = try await browser.post(
                ConsolePath.apiKeys.path,
                [("csrf", csrf), ("name", "etl")]
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("Choose at least one permission."))
            #expect(page.text.contains("value=\"etl\""))
        }
    }

    @Test(
        "every field that is wrong is named at once, and what was typed stays",
        arguments: [
            (ConsolePath.team, ["name": "", "email": "", "password": ""], 2),
            (.team, ["name": "Eve", "email": "eve@example.com", "password": "short"], 1),
            (
                .team, ["name": String(repeating: "e", count: 256), "email": "e", "password": "e"],
                2
            ),
            (.apps, ["name": "", "identifier": " "], 2),
            (.apps, ["name": String(repeating: "a", count: 256), "identifier": "tea"], 1),
            (.apiKeys, ["name": ""], 2),
            (.apiKeys, ["name": "etl", "permission": "*", "addresses": "here, there"], 1),
            (.lists, ["name": ""], 2),
        ]
    )
    func everyFault(path: ConsolePath, fields: [String: String], count: Int) async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(path.path).field("csrf") ?? ""
            let before = try await store.audit(in: WorkspaceID(1), matching: AuditQuery()).total
            let page = try await browser.post(
                path.path,
                [(name: "csrf", value: csrf)] + fields.map { (name: $0, value: $1) }
            )
            #expect(page.status == .unprocessableContent)
            #expect(page.text.components(separatedBy: "<p class=\"fault\"").count == count + 1)
            for text in fields.values where text.count == 3 {
                #expect(page.text.contains("value=\"\(text)\""))
            }
            let after = try await store.audit(in: WorkspaceID(1), matching: AuditQuery()).total
            #expect(after == before)
        }
    }

    @Test("a taken name, an address that is none and a member twice are refused in words")
    func refusals() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apiKeys.path).field("csrf") ?? ""
            func log() async throws -> Int {
                try await store.audit(in: WorkspaceID(1), matching: AuditQuery()).total
            }
            let before = try await log()
            let key = [
                (name: "csrf", value: csrf), (name: "name", value: "shop backend"),
                (name: "permission", value: "users.track"),
            ]
            browser.language = "ja"
            let taken = try await browser.post(ConsolePath.apiKeys.path, key)
            #expect(taken.status == .unprocessableContent)
            #expect(taken.text.contains("「shop backend」という名前のキーは既にあります。"))
            browser.language = "pt-BR"
            let nowhere = try await browser.post(
                ConsolePath.apiKeys.path,
                key + [(name: "addresses", value: "10.0.0.0/8 10.0.0.999")]
            )
            #expect(nowhere.text.contains("10.0.0.999"))
            #expect(nowhere.text.contains("não é um endereço ou faixa de internet"))
            for day in ["2026-02-29", "1999-12-31", "soon"] {
                let over = try await browser.post(
                    ConsolePath.apiKeys.path,
                    key.dropLast(2) + [
                        (name: "name", value: "new"), key[2], (name: "until", value: day),
                    ]
                )
                #expect(over.status == .unprocessableContent)
                #expect(over.text.contains("Escolha um dia que exista, a partir de hoje"), "\(day)")
            }
            browser.language = "en"
            let member = try await browser.post(
                ConsolePath.team.path,
                [
                    ("csrf", csrf), ("name", "Eve"), ("email", "ADMIN@example.com"),
                    ("password", "correct horse"), ("role", "viewer"),
                ]
            )
            #expect(member.text.contains("There is a member with the address ADMIN@example.com."))
            #expect(try await log() == before)
        }
    }

    @Test(
        "a key is good on its last day, of the workspace's calendar, and the list says until when"
    )
    func lastDay() async throws {
        try await ConsoleBrowser.open(.small) { browser, store in
            try await browser.logIn("admin@example.com")
            let csrf = try await browser.get(ConsolePath.apiKeys.path).field("csrf") ?? ""
            let made = try await browser.post(
                ConsolePath.apiKeys.path,
                [
                    ("csrf", csrf), ("name", "agency"), ("permission", "users.track"),
                    ("until", "2031-03-30"),
                ]
            )
            #expect(made.status == .ok, "\(made.text)")
            #expect(made.text.contains("Mar 30, 2031"))
            let zone = try #require(try await store.workspace(WorkspaceID(1))).zone
            let key = try #require(
                try await store.apiKeys(in: WorkspaceID(1)).first { $0.name == "agency" }
            )
            let end = try #require(key.expiresAt)
            #expect(LocalDays(zone).name(of: end.addingTimeInterval(-1)) == "2031-03-30")
            #expect(LocalDays(zone).start(of: end) == end)
        }
    }

    @Test("a key that is made is in the log once, one that is revoked twice too")
    func keyLog() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apiKeys.path).field("csrf") ?? ""
            _ = try await browser.post(
                ConsolePath.apiKeys.path,
                [("csrf", csrf), ("name", "etl"), ("permission", "users.track")]
            )
            for _ in 1...2 {
                let page = try await browser.post(
                    ConsolePath.revokeAPIKey.path,
                    [("csrf", csrf), ("name", "etl")]
                )
                #expect(page.status == .seeOther)
            }
            let log = try await store.audit(in: WorkspaceID(1), matching: AuditQuery(text: "etl"))
            #expect(log.records.map(\.action) == ["key_revoked", "key_created"])
            #expect(Set(log.records.map(\.author)) == ["Hanae Mori"])
        }
    }

    @Test("a key file is uploaded; one that is no key is refused with the reason")
    func upload() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apps.path).field("csrf") ?? ""
            let path = ConsolePath.appCredentials("1").path
            let fields = [
                (name: "csrf", value: csrf), (name: "kind", value: "key"),
                (name: "keyID", value: "abcde12345"), (name: "teamID", value: "TEAM123456"),
            ]
            let bad = try await browser.upload(path, fields, file: ("p8", "a.p8", "hello"))
            #expect(bad.status == .unprocessableContent)
            #expect(bad.text.contains("The signing key is no PEM text."))
            let good = try await browser.upload(
                path,
                fields,
                file: ("p8", "a.p8", P256.Signing.PrivateKey().pemRepresentation)
            )
            #expect(good.location == "/console/settings/apps?notice=credentials-saved")
            let apps = try await browser.get(ConsolePath.apps.path)
            #expect(apps.text.contains("ABCDE12345, TEAM123456"))
        }
    }

    @Test("the connection is tried, and the answer stands with the app")
    func trial() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.apps.path).field("csrf") ?? ""
            _ = try await browser.upload(
                ConsolePath.appCredentials("1").path,
                [
                    (name: "csrf", value: csrf), (name: "kind", value: "key"),
                    (name: "keyID", value: "abcde12345"), (name: "teamID", value: "TEAM123456"),
                ],
                file: ("p8", "a.p8", P256.Signing.PrivateKey().pemRepresentation)
            )
            let page = try await browser.post(
                ConsolePath.testCredentials("1").path,
                [("csrf", csrf)]
            )
            #expect(page.status == .ok)
            #expect(page.text.contains("127.0.0.1:9: cannot connect"))
        }
    }
}
