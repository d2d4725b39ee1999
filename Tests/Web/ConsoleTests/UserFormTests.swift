import Console
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite("The form for a user's attributes") struct UserFormTests {
    private func withUser(
        _ custom: [String: JSONValue] = ["stamps": 3, "city": "Kyoto"],
        _ work:
            @escaping @Sendable (inout ConsoleBrowser, any Store, Profile) async throws -> Void
    ) async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn("marketer@example.com")
            let workspace = try #require(try await store.workspaces().first).id
            _ = try await Self.store(custom, in: workspace, store)
            let user = try #require(try await store.profile(.external("form"), in: workspace))
            try await work(&browser, store, user)
        }
    }

    private static func store(
        _ values: [String: JSONValue],
        in workspace: WorkspaceID,
        _ store: any Store
    ) async throws -> [[IngestOutcome]] {
        let item = IngestItem(
            recordID: nil,
            user: .external("form"),
            time: SampleWorkspace.now,
            content: .attributes(AttributeChanges(values))
        )
        return try await store.ingest(
            [IngestRequest(workspace: workspace, source: .api, items: [item])],
            now: SampleWorkspace.now
        )
    }

    private static func records(_ store: any Store, _ user: Profile) async throws -> [AuditRecord] {
        try await store.audit(
            in: user.workspace,
            matching: AuditQuery(text: "user_changed", limit: 10, offset: 0)
        ).records
    }

    private static let everyKind: [String: JSONValue] = [
        "text": "<b>", "empty": "", "whole": 3, "part": 1.5, "one": .number(1.0), "yes": true,
        "no": false, "time": "2026-03-01T09:00:00Z", "list": ["a", "b"], "none": [],
        "commas": ["a,b", " c "], "numbers": [1, 2], "object": ["a": ["b": 1]],
        "first_name": "Ada", "email": "ada@example.com", "gender": "F", "dob": "1990-01-31",
        "push_subscribe": "opted_in", "time_zone": "Asia/Tokyo",
    ]

    @Test("saved as it was opened it changes nothing, and nothing is in the log")
    func untouched() async throws {
        try await withUser(Self.everyKind) { browser, store, user in
            let path = ConsolePath.editUser("\(user.id)").path
            let fields = try await browser.get(path).form(path)
            #expect(fields.count > 40)
            let answer = try await browser.post(path, fields)
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(try await store.profile(user.id) == user)
            #expect(try await Self.records(store, user).isEmpty)
        }
    }

    @Test("attributes are added, changed and removed with their types, and the log has no values")
    func change() async throws {
        try await withUser { browser, store, user in
            let path = ConsolePath.editUser("\(user.id)").path
            var fields = try await browser.get(path).form(path)
                .filter { !["name", "kind", "value", "first_name", "country"].contains($0.name) }
            fields += [("first_name", "Ada"), ("country", "jp")]
            for (name, kind, value) in [
                ("stamps", "number", "4.5"), ("member", "yes", ""), ("teas", "list", "緑茶、mate"),
                ("since", "time", "2026-03-01T09:00:00Z"), ("shop", "json", #"{"id": 7}"#),
                ("code", "text", "007"), ("", "text", ""),
            ] {
                fields += [("name", name), ("kind", kind), ("value", value)]
            }
            let answer = try await browser.post(path, fields)
            let place = ConsolePath.user("\(user.id)").path
            #expect(answer.location == place + "?notice=user-saved", "\(answer.text)")
            let after = try #require(try await store.profile(user.id))
            #expect(
                after.custom == [
                    "stamps": 4.5, "member": true, "teas": ["緑茶", "mate"],
                    "since": "2026-03-01T09:00:00Z", "shop": ["id": 7], "code": "007",
                ]
            )
            #expect(after.standard[.firstName] == "Ada")
            #expect(after.standard[.country] == "JP")
            let records = try await Self.records(store, user)
            #expect(records.map(\.subject) == ["\(user.id)"])
            #expect(
                records.map(\.detail)
                    == ["city, code, country, first_name, member, shop, since, stamps, teas"]
            )
        }
    }

    @Test("everything that is wrong is said at its field, what was typed stays, nothing is stored")
    func faults() async throws {
        try await withUser { browser, store, user in
            browser.language = "pt-BR"
            let path = ConsolePath.editUser("\(user.id)").path
            let shown = try await browser.get(path).form(path)
            func post(_ changes: [(String, String)], rows: [(String, String, String)] = [])
                async throws -> ConsoleBrowser.Page
            {
                var fields = shown.filter { field in
                    !changes.contains { $0.0 == field.name }
                        && (rows.isEmpty || !["name", "kind", "value"].contains(field.name))
                }
                fields += changes.map { (name: $0.0, value: $0.1) }
                for (name, kind, value) in rows {
                    fields += [("name", name), ("kind", kind), ("value", value)]
                }
                return try await browser.post(path, fields)
            }
            let wrong = try await post(
                [],
                rows: [
                    ("stamps", "number", "many"), ("", "text", "nameless"), ("city", "json", "{"),
                    ("email", "text", "x"), ("twice", "text", "1"), ("twice", "text", "2"),
                ]
            )
            #expect(wrong.status == .unprocessableContent)
            for text in [
                "Informe um número.", "Dê um nome ao atributo.", "Informe um JSON válido.",
                "email é um campo do perfil acima.", "twice aparece duas vezes.", "nameless",
            ] {
                #expect(wrong.text.contains(text), "\(text)")
            }
            let refused = try await post([
                ("email", "nobody"), ("phone", "12"), ("country", "Japan"), ("time_zone", "Tea"),
                ("first_name", "Not stored"),
            ])
            #expect(refused.status == .unprocessableContent)
            for text in [
                "Informe um e-mail", "com o código do país", "duas letras", "fuso horário",
            ] {
                #expect(refused.text.contains(text), "\(text)")
            }
            #expect(refused.field("email") == "nobody")
            #expect(try await store.profile(user.id) == user)
            #expect(try await Self.records(store, user).isEmpty)
        }
    }

    @Test("what somebody else has changed meanwhile is named, and replaced only when saved again")
    func conflict() async throws {
        try await withUser { browser, store, user in
            let path = ConsolePath.editUser("\(user.id)").path
            func edited(_ page: ConsoleBrowser.Page) -> [(name: String, value: String)] {
                page.form(path).map { $0.value == "3" || $0.value == "5" ? ($0.name, "5") : $0 }
            }
            let opened = try await browser.get(path)
            _ = try await Self.store(["stamps": 4, "city": "Nara"], in: user.workspace, store)
            let conflict = try await browser.post(path, edited(opened))
            #expect(conflict.status == .unprocessableContent)
            #expect(conflict.text.contains("stamps was changed meanwhile; it is now “4”."))
            let kept = try #require(try await store.profile(user.id))
            #expect(kept.custom == ["stamps": 4, "city": "Nara"])
            let answer = try await browser.post(path, edited(conflict))
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(try await store.profile(user.id)?.custom["stamps"] == 5)
        }
    }
}
