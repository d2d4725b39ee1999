import Console
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing
import WebPages

@Suite struct JourneyPageTests {
    /// The console, with the one workspace there is.
    private func open(
        _ size: SampleSize = .small,
        _ work:
            @escaping @Sendable (inout ConsoleBrowser, any Store, WorkspaceID) async throws
            -> Void
    ) async throws {
        try await ConsoleBrowser.open(size) { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            try await work(&browser, store, workspace)
        }
    }

    private static func path(_ page: ConsoleBrowser.Page) -> String {
        let address = page.location ?? ""
        return String(address.prefix { $0 != "#" && $0 != "?" })
    }

    /// Begins with a template, and opens its draft.
    private static func begin(
        _ template: String,
        _ browser: inout ConsoleBrowser
    ) async throws -> (address: String, page: ConsoleBrowser.Page) {
        let csrf = try await browser.get(ConsolePath.newJourney.path).field("csrf") ?? ""
        let begun = try await browser.post(
            ConsolePath.newJourney.path,
            [("csrf", csrf), ("template", template)]
        )
        let address = path(begun)
        #expect(address.contains("/journeys/drafts/"))
        return (address, try await browser.get(address))
    }

    /// The definition that a draft holds.
    private static func definition(
        _ address: String,
        _ store: any Store,
        _ workspace: WorkspaceID
    ) async throws -> JourneyDefinition {
        let id = try #require(UUID(uuidString: String(address.split(separator: "/").last ?? "")))
        let draft = try #require(try await store.draft(id, in: workspace))
        let text = FormFields(urlEncoded: draft.fields)["definition"]
        return try JSONDecoder().decode(JourneyDefinition.self, from: Data(text.utf8))
    }

    private static func draftFields(
        _ page: ConsoleBrowser.Page
    ) -> [(name: String, value: String)] {
        ["csrf", "draft", "window", "seen", "subject", "version"].map {
            (name: $0, value: page.field($0) ?? "")
        }
    }

    @Test(
        "a template is reviewed and published in every language, once",
        arguments: Language.allCases
    )
    func published(language: Language) async throws {
        try await open { browser, store, workspace in
            browser.language = language.rawValue
            let (address, page) = try await Self.begin("cart", &browser)
            #expect(page.status == .ok)
            #expect(!page.text.contains("⟦"))
            #expect(page.text.components(separatedBy: "class=\"flow-step\"").count == 5)
            let review = try await browser.get(address + "/review")
            #expect(review.status == .ok)
            #expect(!review.text.contains("autofocus"))
            // Enter presses the first button, which does nothing.
            let form = try #require(
                review.text.range(of: "action=\"\(ConsolePath.publishJourney.path)\"")
            )
            let button = try #require(
                review.text.range(of: "<button", range: form.upperBound..<review.text.endIndex)
            )
            #expect(review.text[button.lowerBound...].hasPrefix("<button disabled hidden>"))
            let fields = review.form(ConsolePath.publishJourney.path)
            // Somebody else's draft is not published with what was reviewed.
            let stale = fields.map { $0.name == "seen" ? ("seen", "77") : ($0.name, $0.value) }
            let refused = try await browser.post(
                ConsolePath.publishJourney.path,
                stale.map { (name: $0.0, value: $0.1) } + [("action", "publish")]
            )
            #expect(refused.location?.contains("notice=draft-changed") == true)
            let published = try await browser.post(
                ConsolePath.publishJourney.path,
                fields + [("action", "publish")]
            )
            #expect(published.location?.contains("notice=journey-published") == true)
            let again = try await browser.post(
                ConsolePath.publishJourney.path,
                fields + [("action", "publish")]
            )
            #expect(Self.path(again) == Self.path(published))
            let (journeys, total) = try await store.journeys(
                in: workspace,
                matching: JourneyQuery(states: [.active], limit: 10)
            )
            #expect(total == 2)
            #expect(journeys.contains { $0.version == 1 && $0.draft.steps.count == 4 })
            let detail = try await browser.get(Self.path(published))
            #expect(detail.status == .ok)
            #expect(!detail.text.contains("⟦"))
        }
    }

    @Test(
        "every template opens, and says what is missing at its step",
        arguments: Language.allCases
    )
    func templates(language: Language) async throws {
        try await open { browser, _, _ in
            browser.language = language.rawValue
            for template in ["cart", "welcome", "winBack", "onboarding", "blank"] {
                let (address, page) = try await Self.begin(template, &browser)
                #expect(page.status == .ok, "\(template)")
                #expect(!page.text.contains("⟦"), "\(template)")
                // The message of the app is chosen by whoever begins with it.
                #expect(page.text.contains("has-faults") == (template == "onboarding"))
                let review = try await browser.get(address + "/review")
                #expect(review.status == .ok)
                let isReady = review.text.contains("value=\"publish\"")
                #expect(isReady == !["onboarding", "blank"].contains(template), "\(template)")
            }
        }
    }

    @Test("a step of every kind is added, and its form changes nothing when it is saved as opened")
    func everyKind() async throws {
        try await open { browser, store, workspace in
            let kinds = [
                "push", "inApp", "delay", "clock", "event", "match", "quietHours", "branch",
                "split", "update", "webhook", "jump", "journey", "exit",
            ]
            for kind in kinds {
                let (address, page) = try await Self.begin("cart", &browser)
                let before = try await Self.definition(address, store, workspace)
                // At the end, where also what nothing can follow may stand.
                let last = try #require(before.steps.last).id
                let place = "next.\(last)"
                let choices = try await browser.get("\(address)/add?at=\(place)")
                #expect(choices.status == .ok)
                #expect(choices.text.contains("value=\"\(kind)\""))
                let added = try await browser.post(
                    address + "/add",
                    Self.draftFields(page) + [("at", place), ("kind", kind)]
                )
                #expect(added.status == .seeOther, "\(kind)")
                let now = try await Self.definition(address, store, workspace)
                #expect(now.steps.count == before.steps.count + 1, "\(kind)")
                let id = try #require(now.step(last)?.next)
                let step = try #require(now.step(id))
                let form = try await browser.get("\(address)/steps/\(step.id)")
                #expect(form.status == .ok, "\(kind)")
                #expect(!form.text.contains("⟦"))
                let fields = form.form("\(address)/steps/\(step.id)")
                let saved = try await browser.post("\(address)/steps/\(step.id)", fields)
                let after = try await Self.definition(address, store, workspace)
                #expect(after == now, "\(kind)")
                if saved.status != .seeOther {
                    // What has to be written first is named at its field.
                    #expect(saved.status == .unprocessableContent, "\(kind)")
                    #expect(saved.text.contains("class=\"faults\""), "\(kind)")
                    let flow = try await browser.get(address)
                    #expect(flow.text.contains("class=\"flow-note\""), "\(kind)")
                }
            }
        }
    }

    @Test(
        "rules and steps that are saved as they were opened stay as they are",
        arguments: ["cart", "welcome", "winBack", "onboarding"]
    )
    func untouched(template: String) async throws {
        try await open { browser, store, workspace in
            let (address, _) = try await Self.begin(template, &browser)
            let before = try await Self.definition(address, store, workspace)
            let steps = before.steps.filter { step in
                // The message of the app has to be chosen first.
                if case .inAppMessage = step.kind { false } else { true }
            }
            for form in ["\(address)/rules"] + steps.map({ "\(address)/steps/\($0.id)" }) {
                let page = try await browser.get(form)
                let saved = try await browser.post(form, page.form(form))
                #expect(saved.status == .seeOther, "\(form)")
                #expect(try await Self.definition(address, store, workspace) == before, "\(form)")
            }
        }
    }

    @Test("a test run tells what one person goes through, and refuses whom it does not know")
    func trial() async throws {
        try await open { browser, store, _ in
            let (address, _) = try await Self.begin("cart", &browser)
            let sends = try await store.journey(JourneyID(2))
            let run = try await browser.get(
                "\(address)/trial?user=yuki&start=2026-01-05T09:00&clock=7200"
            )
            #expect(run.status == .ok)
            #expect(run.text.contains("Still in your cart"))
            #expect(run.text.contains("Shall we keep it for you?"))
            #expect(run.text.components(separatedBy: "class=\"banner\"").count == 2)
            #expect(run.text.contains("11:00"))
            let bought = try await browser.get(
                "\(address)/trial?user=yuki&start=2026-01-05T09:00&clock=604800"
                    + "&eventName=purchase&after=2&afterUnit=hours"
            )
            #expect(bought.text.contains("Reached the goal"))
            #expect(!bought.text.contains("Shall we keep it for you?"))
            for query in [
                "user=nobody", "user=yuki&start=yesterday", "user=yuki&clock=NaN",
                "user=yuki&eventName=x&after=-1&afterUnit=weeks", "user=yuki&clock=1e999",
            ] {
                let page = try await browser.get("\(address)/trial?\(query)")
                #expect([.ok, .unprocessableContent].contains(page.status), "\(query)")
            }
            #expect(try await store.journey(JourneyID(2)) == sends)
        }
    }

    @Test("what the phone of a test run shows is sent to the person's devices, marked as a test")
    func trialIsSent() async throws {
        try await open { browser, store, workspace in
            let (address, page) = try await Self.begin("cart", &browser)
            let csrf = page.field("csrf") ?? ""
            func sends() async throws -> [Send] {
                var query = SendQuery(limit: 1_000)
                query.includesJourneys = true
                return try await store.sends(in: workspace, matching: query).sends
            }
            let before = try await sends()
            let run =
                "\(address)/trial?user=yuki&start=2026-01-05T09:00&pairName=tea&pairValue=sencha"
            // An hour has to pass before there is anything.
            let early = try await browser.post(run + "&clock=0", [("csrf", csrf)])
            #expect(early.location?.contains("notice=journey-nothing-tried") == true)
            #expect(try await sends() == before)
            let foreign = try await browser.post(run + "&clock=7200", [("csrf", "x")])
            #expect(foreign.status == .forbidden)
            let sent = try await browser.post(run + "&clock=604800", [("csrf", csrf)])
            #expect(sent.location?.contains("notice=journey-tried") == true)
            #expect(sent.location?.contains("clock=604800") == true)
            let made = try await sends().filter { !before.contains($0) }.sorted { $0.id < $1.id }
            #expect(
                made.map(\.content.message.title)
                    == ["Still in your cart", "Shall we keep it for you?"]
            )
            let yuki = try #require(try await store.profile(.external("yuki"), in: workspace))
            for send in made {
                #expect(send.content.isTest == true && send.content.launch == nil)
                #expect(send.content.audience == .profiles([yuki.id]))
                #expect(send.content.eventProperties == ["tea": "sencha"])
            }
            let list = try await browser.get(ConsolePath.pushHistory.path)
            #expect(list.text.contains("Test: User yuki"))
            let nobody = try await browser.post(
                "\(address)/trial?user=nobody&clock=7200",
                [("csrf", csrf)]
            )
            #expect(nobody.status == .unprocessableContent)
        }
    }

    @Test("changes are taken back and made again, one by one")
    func undo() async throws {
        try await open { browser, store, workspace in
            let (address, _) = try await Self.begin("cart", &browser)
            let before = try await Self.definition(address, store, workspace)
            func change(_ change: String, _ step: JourneyStepID? = nil) async throws {
                let page = try await browser.get(address)
                let answer = try await browser.post(
                    address + "/change",
                    Self.draftFields(page)
                        + [("change", change), ("step", step?.description ?? "")]
                )
                #expect(answer.status == .seeOther)
            }
            try await change("up", before.steps[1].id)
            let moved = try await Self.definition(address, store, workspace)
            #expect(moved.steps.first?.id == before.steps[1].id)
            try await change("copy", before.steps[1].id)
            try await change("remove", before.steps[0].id)
            let removed = try await Self.definition(address, store, workspace)
            #expect(removed.steps.count == 4)
            for _ in 0..<3 { try await change("undo") }
            #expect(try await Self.definition(address, store, workspace) == before)
            for _ in 0..<5 { try await change("redo") }
            #expect(try await Self.definition(address, store, workspace) == removed)
            // What nobody can do changes nothing.
            try await change("explode", before.steps[1].id)
            try await change("move", before.steps[1].id)
            #expect(try await Self.definition(address, store, workspace) == removed)
        }
    }

    @Test("what is written in a form is kept before it is done, also if it is wrong")
    func autosave() async throws {
        try await open { browser, store, workspace in
            let (address, _) = try await Self.begin("cart", &browser)
            let definition = try await Self.definition(address, store, workspace)
            let step = "\(address)/steps/\(definition.steps[0].id)"
            let form = try await browser.get(step).form(step).map {
                $0.name == "span" ? (name: "span", value: "soon") : $0
            }
            let kept = try await browser.post(address, form)
            #expect(kept.status == .ok)
            #expect(kept.text.contains("\\/steps\\/") || kept.text.contains("/steps/"))
            let again = try await browser.get(step)
            #expect(again.field("span") == "soon")
            #expect(try await Self.definition(address, store, workspace) == definition)
            let review = try await browser.get(address + "/review")
            #expect(!review.text.contains("value=\"publish\""))
            let refused = try await browser.post(step, again.form(step))
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("href=\"#span\""))
            #expect(refused.field("span") == "soon")
        }
    }

    @Test("extreme and hostile input is an error at its field, never a failure of the server")
    func hostile() async throws {
        try await open { browser, store, workspace in
            let texts = [
                "", "-1", "99999999999999999999", "1e309", "\u{202e}<script>", "{% if",
                String(repeating: "x", count: 1_500), "\"\\", "٣",
            ]
            for template in ["winBack", "onboarding"] {
                let (address, _) = try await Self.begin(template, &browser)
                let definition = try await Self.definition(address, store, workspace)
                let forms =
                    definition.steps.map { "\(address)/steps/\($0.id)" } + ["\(address)/rules"]
                for form in forms {
                    for text in texts {
                        let page = try await browser.get(form)
                        let own: Set = [
                            "csrf", "draft", "window", "seen", "subject", "version", "formOf",
                        ]
                        let fields = page.form(form).map {
                            own.contains($0.name) ? $0 : (name: $0.name, value: text)
                        }
                        let answer = try await browser.post(form, fields)
                        #expect(
                            [.seeOther, .unprocessableContent].contains(answer.status),
                            "\(form) \(text.prefix(20)): \(answer.status)"
                        )
                        #expect(!answer.text.contains("<script>x"))
                    }
                }
                #expect(try await browser.get(address).status == .ok)
                #expect(try await browser.get(address + "/review").status == .ok)
            }
            let nowhere = [
                "/console/journeys/99", "/console/journeys/x", "/console/journeys/1/steps/x",
                "/console/journeys/1/users/99", "/console/journeys/drafts/x",
                "/console/journeys/drafts/\(UUID())/add?at=start",
            ]
            for path in nowhere {
                #expect(try await browser.get(path).status == .notFound, "\(path)")
            }
        }
    }

    @Test("a new version says in numbers what becomes of those who wait, and does just that")
    func migration() async throws {
        try await open { browser, store, workspace in
            let journey = JourneyID(1)
            let path = ConsolePath.journey("1").path
            let page = try await browser.get(path)
            #expect(page.status == .ok)
            let waiting = try await store.figures(of: journey).inside
            #expect(waiting == 10)
            let edit = try await browser.post(path + "/edit", [("csrf", page.field("csrf") ?? "")])
            let address = Self.path(edit)
            // Opened again, it is the same draft.
            let twice = try await browser.post(path + "/edit", [("csrf", page.field("csrf") ?? "")])
            #expect(Self.path(twice) == address)
            let flow = try await browser.get(address)
            let removed = SampleWorkspace.journeyStep(3)
            _ = try await browser.post(
                address + "/change",
                Self.draftFields(flow) + [("change", "remove"), ("step", removed.description)]
            )
            let keeping = try await browser.get(address + "/review")
            #expect(keeping.text.contains("10 wait: 10 go on as before."))
            let leaving = try await browser.get(address + "/review?migration=move")
            #expect(leaving.text.contains("10 wait: 10 leave."))
            let target = SampleWorkspace.journeyStep(4)
            let choice = "?migration=move&to.\(removed)=\(target)"
            let going = try await browser.get(address + "/review" + choice)
            #expect(going.text.contains("10 wait: 10 go on at once."))
            let fields = going.form(ConsolePath.publishJourney.path)
            let published = try await browser.post(
                ConsolePath.publishJourney.path,
                fields + [("action", "publish")]
            )
            #expect(published.location?.contains("notice=journey-published") == true)
            let stored = try #require(try await store.journey(journey))
            #expect(stored.version == 2)
            let inside = try await store.entriesInside(journey, after: nil, limit: 100)
            #expect(inside.count == 10)
            #expect(inside.allSatisfy { $0.version == 2 && $0.position?.step == target })
        }
    }

    @Test("each figure leads to the people behind it, and each person to where they are and why")
    func people() async throws {
        try await open { browser, store, workspace in
            let step = SampleWorkspace.journeyStep(3).description
            for (group, count) in [("entered", 20), ("waiting", 10), ("passed", 10), ("left", 0)] {
                let page = try await browser.get(
                    ConsolePath.journeyPeople("1", step).path + "?group=\(group)"
                )
                #expect(page.status == .ok)
                #expect(
                    page.text.components(separatedBy: "<tr data-href").count - 1 == count,
                    "\(group)"
                )
            }
            let waiting = try await store.entriesInside(JourneyID(1), after: nil, limit: 1)
            let person = try #require(waiting.first).profile
            for language in Language.allCases {
                browser.language = language.rawValue
                _ = try await browser.get(ConsolePath.overview.path)
                let page = try await browser.get(
                    ConsolePath.journeyPerson("1", "\(person)").path
                )
                #expect(page.status == .ok)
                #expect(!page.text.contains("⟦"))
                #expect(page.text.contains("table_reserved"))
            }
            let user = try await browser.get(ConsolePath.user("\(person)").path)
            #expect(user.text.contains("Table by the window"))
        }
    }

    @Test("the list is filtered and ordered, and says how many are in each")
    func list() async throws {
        try await open { browser, _, _ in
            let all = try await browser.get(ConsolePath.journeys.path)
            #expect(all.text.contains("Table by the window"))
            #expect(all.text.contains("ようこそ"))
            let active = try await browser.get(ConsolePath.journeys.path + "?state=active")
            #expect(!active.text.contains("ようこそ"))
            #expect(active.text.contains(">10</td>"))
            #expect(active.text.contains(">20</td>"))
            for order in ["name", "lastEntry", "inside", "entered", "converted", "nonsense"] {
                let page = try await browser.get(ConsolePath.journeys.path + "?order=\(order)")
                #expect(page.status == .ok)
                #expect(page.text.contains("aria-sort") == (order != "nonsense"))
            }
            let none = try await browser.get(ConsolePath.journeys.path + "?text=zzz")
            #expect(none.text.contains("No journey matches"))
        }
        try await open(.empty) { browser, _, _ in
            let page = try await browser.get(ConsolePath.journeys.path)
            #expect(page.text.contains("value=\"cart\""))
        }
    }

    @Test("a journey is paused, resumed, drained and stopped from its page")
    func actions() async throws {
        try await open { browser, store, _ in
            let csrf = try await browser.get(ConsolePath.journey("1").path).field("csrf") ?? ""
            for (action, state) in [
                ("pause", JourneyState.paused), ("resume", .active), ("drain", .draining),
                ("stop", .stopped), ("archive", .archived),
            ] {
                let answer = try await browser.post(
                    ConsolePath.journeyAction("1", action).path,
                    [("csrf", csrf)]
                )
                #expect(answer.status == .seeOther)
                #expect(try await store.journey(JourneyID(1))?.state == state)
            }
            let late = try await browser.post(
                ConsolePath.journeyAction("1", "resume").path,
                [("csrf", csrf)]
            )
            #expect(late.location?.contains("notice=journey-moved") == true)
            let none = try await browser.post(
                ConsolePath.journeyAction("1", "explode").path,
                [("csrf", csrf)]
            )
            #expect(none.status == .notFound)
        }
    }
}
