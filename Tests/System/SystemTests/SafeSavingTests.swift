import Foundation
import Model
import Ports
import Server
import Testing

/// What is written in the console's forms over a real server: kept, saved once, told when somebody
/// else was faster.
@Suite("What is written in the console")
struct SafeSavingTests {
    /// A form, what is written in it, and what is stored of it.
    private struct Form: Sendable {
        var kind: FormDraft.Kind
        var folder: String
        var fields: [String: String]
        /// The field that is changed, and where the form is saved.
        var name: String
        var save: @Sendable (String) -> String
        var edit: @Sendable (String) -> String
        var stored: @Sendable (ConsoleSession) async throws -> [String]
    }

    private static let forms: [Form] = [
        Form(
            kind: .campaign,
            folder: "campaigns",
            fields: [
                "name": "Autumn", "v0.message": "Leaves", "audience": "everyone",
                "delivery": "api",
            ],
            name: "name",
            save: { _ in "/console/campaigns/save" },
            edit: { "/console/campaigns/\($0)/edit" },
            stored: { console in
                try await console.server.store.campaigns(
                    in: console.workspace,
                    matching: CampaignQuery()
                ).campaigns.map(\.content.name)
            }
        ),
        Form(
            kind: .segment,
            folder: "segments",
            fields: ["name": "Autumn", "condition": #"plan = "gold""#],
            name: "name",
            save: { $0.isEmpty ? "/console/segments/new" : "/console/segments/\($0)" },
            edit: { "/console/segments/\($0)" },
            stored: { console in
                try await console.server.store.segments(in: console.workspace).map(\.content.name)
            }
        ),
        Form(
            kind: .news,
            folder: "news",
            fields: ["title": "Autumn", "text": "Leaves", "publication": "draft"],
            name: "title",
            save: { $0.isEmpty ? "/console/news/new" : "/console/news/\($0)" },
            edit: { "/console/news/\($0)" },
            stored: { console in
                try await console.server.store.news(
                    in: console.workspace,
                    matching: NewsQuery(now: Date())
                ).items.map(\.content.title)
            }
        ),
        Form(
            kind: .inApp,
            folder: "in-app",
            fields: [
                "name": "Autumn", "v0.kind": "modal", "v0.text": "Leaves", "audience": "everyone",
                "t0.kind": "session_start",
            ],
            name: "name",
            save: { _ in "/console/in-app/save" },
            edit: { "/console/in-app/\($0)/edit" },
            stored: { console in
                try await console.server.store.inAppMessages(
                    in: console.workspace,
                    matching: InAppMessageQuery(
                        states: Set(InAppMessageDefinition.State.allCases),
                        limit: 9
                    )
                ).messages.map(\.name)
            }
        ),
    ]

    /// The fields about the form that a page gives to it.
    private func own(_ page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for name in ["draft", "window", "seen", "subject", "version"] {
            guard let start = page.range(of: "name=\"\(name)\" value=\"") else { continue }
            fields[name] = String(page[start.upperBound...].prefix { $0 != "\"" })
        }
        return fields
    }

    @Test("is kept under an address that has it again, and becomes one thing", arguments: 0..<4)
    func once(_ index: Int) async throws {
        let form = Self.forms[index]
        try await ConsoleSession.open { console in
            let new = "/console/\(form.folder)/new"
            let page = try await console.get(new)
            let written = form.fields.merging(own(page)) { $1 }
            let id = try #require(written["draft"])
            let address = "/console/\(form.folder)/drafts/\(id)"
            let answer = try await console.post(address, written, tokenFrom: new)
            #expect(answer.contains("Draft saved"), "\(answer)")
            let list = try await console.get("/console/\(form.folder)")
            #expect(list.contains(id) && list.contains("Autumn"))
            let again = try await console.get(address)
            #expect(again.contains(#"value="Autumn""#))
            #expect(own(again)["draft"] == id && own(again)["seen"] == "1")
            #expect(try await form.stored(console) == [])
            for _ in 1...3 {
                try await console.post(form.save(""), written, tokenFrom: new)
                #expect(try await form.stored(console) == ["Autumn"])
            }
            // Its address leads to what it has become, and nothing more is kept there.
            #expect(!(try await console.get("/console/\(form.folder)")).contains(id))
            let late = written.merging([form.name: "Late"]) { $1 }
            let over = try await console.post(address, late, tokenFrom: new)
            #expect(over.contains(#""isOver":true"#), "\(over)")
        }
    }

    @Test("changes nothing that is saved until it is saved itself", arguments: 0..<4)
    func apart(_ index: Int) async throws {
        let form = Self.forms[index]
        try await ConsoleSession.open { console in
            let new = "/console/\(form.folder)/new"
            try await console.post(form.save(""), form.fields, tokenFrom: new)
            let name = try #require(try await name(of: form, console))
            let edit = form.edit(name)
            var first = form.fields.merging(own(try await console.get(edit))) { $1 }
            var second = form.fields.merging(own(try await console.get(edit))) { $1 }
            #expect(first["subject"] == name && first["version"]?.isEmpty == false)
            first[form.name] = "Winter"
            let id = try #require(first["draft"])
            try await console.post(
                "/console/\(form.folder)/drafts/\(id)",
                first,
                tokenFrom: edit
            )
            #expect(try await form.stored(console) == ["Autumn"])
            // Whoever opens it sees that somebody is at it.
            let other = try await console.get(edit)
            #expect(other.contains("There are unsaved changes") && other.contains(id))
            try await console.post(form.save(name), first, tokenFrom: edit)
            #expect(try await form.stored(console) == ["Winter"])
            // The later one is told, and overwrites only what was looked at.
            second[form.name] = "Spring"
            let told = try await console.post(form.save(name), second, tokenFrom: edit)
            #expect(told.contains("Someone has saved a newer version"))
            #expect(told.contains(#"value="Spring""#))
            #expect(try await form.stored(console) == ["Winter"])
            second.merge(own(told)) { $1 }
            if form.kind == .campaign {
                try await console.post("/console/campaigns/review", second, tokenFrom: edit)
            }
            try await console.post(form.save(name), second, tokenFrom: edit)
            #expect(try await form.stored(console) == ["Spring"])
        }
    }

    private func name(of form: Form, _ console: ConsoleSession) async throws -> String? {
        let store = console.server.store
        switch form.kind {
        case .inApp:
            let found = try await store.inAppMessages(
                in: console.workspace,
                matching: InAppMessageQuery(
                    states: Set(InAppMessageDefinition.State.allCases),
                    limit: 9
                )
            )
            return found.messages.first?.id.uuidString.lowercased()
        case .push, .campaign, .segment, .news, .journey: return "1"
        }
    }

    @Test("is not lost in two windows of one draft")
    func windows() async throws {
        try await ConsoleSession.open { console in
            let new = "/console/campaigns/new"
            let form = Self.forms[0]
            var first = form.fields.merging(own(try await console.get(new))) { $1 }
            let id = try #require(first["draft"])
            let address = "/console/campaigns/drafts/\(id)"
            try await console.post(address, first, tokenFrom: new)
            var second = form.fields.merging(own(try await console.get(address))) { $1 }
            second["name"] = "Second"
            try await console.post(address, second, tokenFrom: new)
            first["name"] = "First"
            let answer = try await console.post(address, first, tokenFrom: new)
            #expect(answer.contains("Another window"), "\(answer)")
            let drafts = try await console.server.store.drafts(.campaign, in: console.workspace)
            #expect(Set(drafts.map(\.title)) == ["First", "Second"])
        }
    }

    @Test("is shown by apps only as somebody has looked at it")
    func inAppActivation() async throws {
        try await ConsoleSession.open { console in
            let new = "/console/in-app/new"
            var fields = Self.forms[3].fields.merging(own(try await console.get(new))) { $1 }
            fields["step"] = "activate"
            let review = try await console.post("/console/in-app/save", fields, tokenFrom: new)
            #expect(review.contains("No one is in the audience now."))
            let id = try #require(try await name(of: Self.forms[3], console))
            func state() async throws -> InAppMessageDefinition.State? {
                try await console.server.store.inAppMessages(
                    in: console.workspace,
                    matching: InAppMessageQuery(
                        states: Set(InAppMessageDefinition.State.allCases),
                        limit: 9
                    )
                ).messages.first?.state
            }
            func version(_ page: String) throws -> String {
                let start = try #require(page.range(of: #"name="version" value=""#))
                return String(page[start.upperBound...].prefix { $0 != "\"" })
            }
            let address = "/console/in-app/\(id)/activate"
            try await console.post("/console/in-app/\(id)/step/activate", [:], tokenFrom: new)
            #expect(try await state() == .draft)
            // Somebody else changes it meanwhile.
            let edit = "/console/in-app/\(id)/edit"
            var changed = Self.forms[3].fields.merging(own(try await console.get(edit))) { $1 }
            changed["v0.text"] = "Other leaves"
            try await console.post("/console/in-app/save", changed, tokenFrom: edit)
            let again = try await console.post(
                address,
                ["version": try version(review)],
                tokenFrom: edit
            )
            #expect(again.contains("Other leaves"))
            #expect(try await state() == .draft)
            for _ in 1...2 {
                try await console.post(address, ["version": try version(again)], tokenFrom: edit)
                #expect(try await state() == .active)
            }
        }
    }

    @Test("begins once, after it was seen")
    func activation() async throws {
        try await ConsoleSession.open { console in
            let new = "/console/campaigns/new"
            var fields = Self.forms[0].fields.merging(own(try await console.get(new))) { $1 }
            fields["delivery"] = "now"
            fields["step"] = "activate"
            let store = console.server.store
            func state() async throws -> CampaignState? {
                try await store.campaigns(in: console.workspace, matching: CampaignQuery())
                    .campaigns.first?.state
            }
            // Posted without a review it leads to one.
            let review = try await console.post("/console/campaigns/save", fields, tokenFrom: new)
            #expect(review.contains("Estimated reach"))
            #expect(try await state() == nil)
            for _ in 1...3 {
                try await console.post("/console/campaigns/save", fields, tokenFrom: new)
            }
            #expect([.active, .stopped].contains(try await state()))
            let campaigns = try await store.campaigns(
                in: console.workspace,
                matching: CampaignQuery()
            )
            #expect(campaigns.total == 1)
        }
    }
}
