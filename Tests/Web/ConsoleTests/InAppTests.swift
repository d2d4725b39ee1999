import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing

@testable import Console

@Suite struct InAppEditorPageTests {
    private static let written: [(name: String, value: String)] = [
        ("name", "First cup"), ("v0.kind", "modal"), ("v0.header", "Welcome"),
        ("v0.text", "<b>On us</b>"), ("v0.body.action", "close"), ("v0.b0.id", "0"),
        ("v0.b0.text", "Menu"),
        ("v0.b0.action", "url"), ("v0.b0.url", "teahouse://menu"),
        ("v0.b0.backgroundColor", "#FF1F7A4D"),
        ("t0.kind", "event"), ("t0.name", "menu_viewed"), ("t0.property", "visits"),
        ("t0.test", "greater"), ("t0.value", "2"), ("t1.kind", "push_open"), ("t1.name", ""),
        ("t1.property", ""), ("t1.test", "equals"), ("t1.value", ""), ("audience", "everyone"),
        ("delay", "2"), ("delayUnit", "minutes"), ("often", "times"), ("times", "3"),
        ("interval", "1.5"), ("intervalUnit", "days"), ("priority", "-5"),
        ("startsAt", "2026-02-01T09:00"), ("endsAt", "2026-03-01T09:00"),
    ]

    private static func save(
        _ browser: inout ConsoleBrowser,
        _ changes: [(name: String, value: String)] = []
    ) async throws -> ConsoleBrowser.Page {
        let csrf = try await browser.get(ConsolePath.newInApp.path).field("csrf") ?? ""
        let names = Set(changes.map(\.name))
        return try await browser.post(
            ConsolePath.saveInApp.path,
            written.filter { !names.contains($0.name) } + changes + [("csrf", csrf)]
        )
    }

    @Test("a message is written, activated, and comes back into the form as it was")
    func story() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let saved = try await Self.save(&browser, [("step", "activate")])
            #expect(saved.status == .seeOther, "\(saved.text)")
            let address = try #require(saved.location)
            let id = try #require(address.split(separator: "/").dropLast().last.map(String.init))
            #expect(address == ConsolePath.activateInApp(id).path)
            let review = try await browser.get(address)
            #expect(review.text.contains("Activate for 40 users"))
            let before = try await browser.get(ConsolePath.inApp.path)
            #expect(before.text.contains("Draft"))
            let activated = try await browser.post(
                address,
                [
                    ("csrf", review.field("csrf") ?? ""),
                    ("version", review.field("version") ?? ""),
                ]
            )
            #expect(activated.location?.hasSuffix("notice=in-app-activated") == true)
            let list = try await browser.get(ConsolePath.inApp.path)
            for text in ["First cup", "Active", "Event: menu_viewed, Push opened"] {
                #expect(list.text.contains(text), "\(text)")
            }
            let detail = try await browser.get(ConsolePath.inAppMessage(id).path)
            #expect(detail.text.contains("Event: menu_viewed · visits is more than 2"))
            #expect(detail.text.contains("3 times · at least 36 hours apart"))
            #expect(!detail.text.contains("<b>On us</b>"))
            let form = try await browser.get(ConsolePath.editInApp(id).path)
            for (name, value) in [
                ("name", "First cup"), ("t0.name", "menu_viewed"), ("t0.property", "visits"),
                ("delay", "2"), ("times", "3"), ("interval", "36"), ("priority", "-5"),
                ("startsAt", "2026-02-01T09:00"), ("v0.b0.url", "teahouse://menu"),
                ("v0.b0.backgroundColor", "#FF1F7A4D"),
            ] {
                #expect(form.field(name) == value, "\(name)")
            }
        }
    }

    @Test(
        "what is chosen from a list is stored, shown and chosen again; the usual is not stored",
        arguments: InAppChoice.all.map(\.name)
    )
    func choices(name: String) async throws {
        let choice = try #require(InAppChoice.all.first { $0.name == name })
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            for value in choice.values + ["sideways"] {
                let answer = try await Self.save(
                    &browser,
                    [("step", "save"), ("name", value), ("v0.\(name)", value)]
                )
                let address = try #require(answer.location, "\(answer.text)")
                let id = try #require(
                    address.split { "/?".contains($0) }.compactMap { UUID(uuidString: "\($0)") }
                        .first
                )
                let saved = try #require(try await store.inAppMessage(id, in: workspace))
                let known = choice.values.contains(value) ? value : choice.unstated
                #expect(choice.value(in: saved.message) == known)
                let form = try await browser.get(ConsolePath.editInApp(id.uuidString).path)
                let fields = form.form(ConsolePath.saveInApp.path)
                #expect(fields.first { $0.0 == "v0.\(name)" }?.1 == known)
            }
        }
    }

    @Test("what is wrong is said at its field, and what was typed stays")
    func faults() async throws {
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let page = try await Self.save(
                &browser,
                [
                    ("name", ""), ("v0.b0.url", "no address"), ("v0.b0.backgroundColor", "green"),
                    ("t0.name", ""), ("times", "0"), ("delay", "soon"), ("v0.image", "http://a"),
                ]
            )
            #expect(page.status == .unprocessableContent)
            for field in [
                "name", "v0.b0.url", "v0.b0.backgroundColor", "t0.name", "times", "delay",
                "v0.image",
            ] {
                #expect(page.text.contains("href=\"#\(field)\""), "\(field)")
            }
            #expect(page.field("v0.b0.text") == "Menu")
            #expect(page.field("v0.b0.backgroundColor") == "green")
        }
    }

    @Test("variants are compared with one another and with a control group")
    func variants() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let saved = try await Self.save(
                &browser,
                [
                    ("v0.weight", "3"), ("v1.weight", "2"), ("v1.kind", "slideup"),
                    ("v1.text", "Or a strip"), ("controlShare", "20"),
                ]
            )
            #expect(saved.status == .seeOther, "\(saved.text)")
            let path = try #require(saved.location?.prefix { $0 != "?" }).description
            let id = try #require(path.split(separator: "/").last.map(String.init))
            let detail = try await browser.get(path)
            for text in ["Or a strip", "Control group", "would have seen it", "A (3), B (2)"] {
                #expect(detail.text.contains(text), "\(text)")
            }
            let form = try await browser.get(ConsolePath.editInApp(id).path)
            #expect(form.field("v1.weight") == "2")
            #expect(form.field("controlShare") == "20")
            let wrong = try await Self.save(
                &browser,
                [("v1.kind", "modal"), ("v1.weight", "many"), ("controlShare", "100")]
            )
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.text.contains("href=\"#v1.weight\""))
            #expect(wrong.text.contains("href=\"#controlShare\""))
        }
    }

    private static func variant(
        _ number: Int,
        known id: String
    ) -> [(name: String, value: String)] {
        [
            ("v\(number).id", id), ("v\(number).kind", "modal"), ("v\(number).weight", "1"),
            ("v\(number).text", "Another"),
        ]
    }

    @Test("a variant that is added carries what the others do, and is known by a name of its own")
    func addedVariant() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            let id = SampleWorkspace.id(1)
            var stored = try #require(try await store.inAppMessage(id, in: workspace))
            stored.contents = stored.contents.map {
                var content = $0
                content.extras = ["table": "4"]
                return content
            }
            #expect(try await store.updateInAppMessage(stored))
            let before = try #require(try await store.inAppMessage(id, in: workspace))
            let number = before.contents.count
            let page = try await browser.get(ConsolePath.editInApp(id.uuidString).path)
            let answer = try await browser.post(
                ConsolePath.saveInApp.path,
                page.form(ConsolePath.saveInApp.path) + Self.variant(number, known: "")
                    + Self.variant(number + 1, known: page.field("v0.id") ?? "")
                    + [("step", "save")]
            )
            #expect(answer.status == .seeOther, "\(answer.text)")
            let after = try #require(try await store.inAppMessage(id, in: workspace))
            #expect(after.contents.count == number + 2)
            #expect(after.contents.allSatisfy { $0.extras == ["table": "4"] })
            let ids = after.experiment.identities.map(\.id)
            #expect(Array(ids.prefix(number)) == before.experiment.identities.map(\.id))
            #expect(Set(ids).count == number + 2)
        }
    }

    @Test(
        "a message that begins or ends beyond every calendar is shown",
        arguments: [Int64.min, -62_135_596_800_001, 253_402_300_800_000, Int64.max]
    )
    func extremes(milliseconds: Int64) async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            let id = SampleWorkspace.id(3)
            var stored = try #require(try await store.inAppMessage(id, in: workspace))
            stored.message.rules.startsAtMilliseconds = min(0, milliseconds)
            stored.message.rules.expiresAtMilliseconds = max(0, milliseconds)
            #expect(try await store.updateInAppMessage(stored))
            let name = SampleWorkspace.name(3)
            for path in [
                ConsolePath.inApp, .inAppMessage(name), .editInApp(name), .duplicateInApp(name),
            ] {
                #expect(try await browser.get(path.path).status == .ok, "\(path)")
            }
        }
    }

    @Test("a message goes through its states")
    func steps() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.inAppMessage(SampleWorkspace.name(1)).path
            let csrf = try await browser.get(path).field("csrf") ?? ""
            for (step, notice) in [
                ("archive", "in-app-moved"), ("pause", "in-app-paused"),
                ("activate", "in-app-activated"), ("pause", "in-app-paused"),
                ("archive", "in-app-archived"),
            ] {
                let address: ConsolePath =
                    step == "activate"
                    ? .activateInApp(SampleWorkspace.name(1))
                    : .inAppStep(SampleWorkspace.name(1), step)
                let version = try await browser.get(
                    ConsolePath.activateInApp(SampleWorkspace.name(1)).path
                ).field("version")
                let page = try await browser.post(
                    address.path,
                    [("csrf", csrf), ("version", version ?? "0")]
                )
                #expect(page.location?.hasSuffix("notice=" + notice) == true, "\(step)")
            }
            let over = try await browser.get(
                ConsolePath.activateInApp(SampleWorkspace.name(1)).path
            )
            #expect(over.location == path)
            let archived = try await browser.get(path)
            #expect(!archived.text.contains("/step/"))
        }
    }

    @Test("an HTML message is shown in a sandbox that runs nothing and reaches nobody")
    func sandbox() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.inAppHTML(SampleWorkspace.name(2)).path)
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("sandbox; default-src 'none'"))
            #expect(!policy.contains("script-src"))
            #expect(page.text.hasPrefix("<h1"))
            let form = try await browser.get(ConsolePath.editInApp(SampleWorkspace.name(2)).path)
            #expect(!form.text.contains("<h1 style"))
        }
    }

    @Test("who saw and tapped it is listed page by page")
    func users() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.inAppUsers(SampleWorkspace.name(1))
            let first = try await browser.get(path.path)
            #expect(first.text.contains("before="))
            let taps = try await browser.get(path.path + "?button=0")
            #expect(taps.text.contains("Clicked a button"))
            #expect(!taps.text.contains("Viewed"))
        }
    }
}
