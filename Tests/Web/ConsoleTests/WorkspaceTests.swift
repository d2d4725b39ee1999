import Console
import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Synchronization
import Testing
import WebPages

/// Members of several workspaces, and the border between these on every route.
@Suite("Workspaces in the console") struct WorkspaceTests {
    /// Makes a workspace besides the sample's, with somebody of the sample or somebody new as its
    /// administrator, who has the sample's password.
    private static func makeHarbor(
        _ store: any Store,
        administrator email: String
    ) async throws -> WorkspaceID {
        let password = try #require(
            try await store.memberWithPassword(email: "admin@example.com")
        ).passwordHash
        let harbor = try await store.createWorkspace(
            name: "Harbor",
            timeZone: "UTC",
            now: SampleWorkspace.now
        )
        _ = try await store.addMember(
            MemberDraft(name: "Kai", email: email, passwordHash: password, role: .administrator),
            MemberDetails(),
            in: harbor,
            noting: nil,
            now: SampleWorkspace.now
        )
        return harbor
    }

    private static func open(
        _ workspace: WorkspaceID,
        _ browser: inout ConsoleBrowser,
        csrf: String? = nil
    ) async throws -> ConsoleBrowser.Page {
        let token = try await browser.get(ConsolePath.overview.path).field("csrf") ?? ""
        return try await browser.post(
            ConsolePath.switchWorkspace.path,
            [("csrf", csrf ?? token), ("workspace", "\(workspace)")]
        )
    }

    @Test("a member of two workspaces sees the one that is open, with the role there")
    func switching() async throws {
        try await ConsoleBrowser.open { browser, store in
            let harbor = try await Self.makeHarbor(store, administrator: "viewer@example.com")
            try await browser.logIn("viewer@example.com")
            let first = try await browser.get(ConsolePath.overview.path)
            #expect(first.text.contains("Harbor") && first.text.contains("Kissa Aoi"))
            #expect(try await browser.get(ConsolePath.apps.path).status == .forbidden)
            #expect(try await browser.get(ConsolePath.campaign("2").path).status == .ok)

            #expect(try await Self.open(harbor, &browser, csrf: "made up").status == .forbidden)
            #expect(try await browser.get(ConsolePath.apps.path).status == .forbidden)
            #expect(try await Self.open(WorkspaceID(99), &browser).status == .notFound)
            let opened = try await Self.open(harbor, &browser)
            #expect(opened.location == ConsolePath.overview.path)
            // Pages of the other one are not shown again by going back.
            #expect(opened.headers[.setCookie]?.hasPrefix("noroshi_workspace=\(harbor);") == true)
            #expect(try await browser.get(ConsolePath.apps.path).status == .ok)
            #expect(try await browser.get(ConsolePath.campaign("2").path).status == .notFound)
            let list = try await browser.get(ConsolePath.workspaces.path)
            #expect(list.text.contains("Harbor") && list.text.contains("Kissa Aoi"))
        }
    }

    @Test("members of one workspace see no menu, and open no other")
    func oneWorkspace() async throws {
        try await ConsoleBrowser.open { browser, store in
            let harbor = try await Self.makeHarbor(store, administrator: "kai@example.com")
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.overview.path)
            #expect(!page.text.contains("class=\"workspaces\""))
            #expect(try await Self.open(harbor, &browser).status == .notFound)
        }
    }

    @Test("an administrator makes a workspace and opens it; a name that is taken is said so")
    func creating() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let form = try await browser.get(ConsolePath.workspaces.path)
            func create(_ name: String, _ zone: String) async throws -> ConsoleBrowser.Page {
                try await browser.post(
                    ConsolePath.workspaces.path,
                    [
                        ("csrf", form.field("csrf") ?? ""), ("name", name),
                        ("time_zone", zone),
                    ]
                )
            }
            #expect(try await create("Harbor", "Europe/Lisbon").status == .seeOther)
            for (name, zone) in [("Harbor", "UTC"), ("Pier", "Mars"), ("", "UTC")] {
                let page = try await create(name, zone)
                #expect(page.status == .unprocessableContent, "\(name) \(zone)")
                #expect(page.text.contains("class=\"fault\""), "\(name) \(zone)")
            }
            let made = try #require(
                try await store.workspaces().first { $0.name == "Harbor" }
            )
            #expect(try await Self.open(made.id, &browser).status == .seeOther)
            #expect(try await browser.get(ConsolePath.team.path).status == .ok)
        }
    }

    @Test("who is known on the server joins by the address; the account stays out of reach")
    func joining() async throws {
        try await ConsoleBrowser.open { browser, store in
            _ = try await Self.makeHarbor(store, administrator: "kai@example.com")
            try await browser.logIn("kai@example.com")
            let csrf = try await browser.get(ConsolePath.team.path).field("csrf") ?? ""
            let added = try await browser.post(
                ConsolePath.team.path,
                [
                    ("csrf", csrf), ("name", "Vi"), ("email", "viewer@example.com"),
                    ("password", ""), ("role", "marketer"),
                ]
            )
            #expect(added.location?.contains("known-member-added") == true)
            let viewer = try #require(
                try await store.memberships(email: "viewer@example.com").first
            )
            for path in [
                ConsolePath.makePasswordLink("\(viewer.id)"), .endMemberSessions("\(viewer.id)"),
                .removeSecondFactor("\(viewer.id)"),
            ] {
                let page = try await browser.post(path.path, [("csrf", csrf)])
                #expect(page.status == .forbidden, "\(path)")
                #expect(page.text.contains("command line"), "\(path)")
            }
            // What is refused is not offered, and the pages say why.
            let team = try await browser.get(ConsolePath.team.path)
            #expect(!team.text.contains(ConsolePath.makePasswordLink("\(viewer.id)").path))
            #expect(team.text.contains("Account of several workspaces"))
            let page = try await browser.get(ConsolePath.member("\(viewer.id)").path)
            #expect(page.text.contains("Vi also belongs to workspaces"))
            #expect(!page.text.contains("\(ConsolePath.member("\(viewer.id)").path)/"))
            #expect(!page.text.contains("No sign-in is open."))
            browser.forgetCookies()
            #expect(try await browser.logIn("viewer@example.com").status == .seeOther)
        }
    }

    @Test("who is new is shown a link in place of a password, which opens once")
    func inviting() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.team.path).field("csrf") ?? ""
            let added = try await browser.post(
                ConsolePath.team.path,
                [
                    ("csrf", csrf), ("name", "Lea"), ("email", "lea@example.com"),
                    ("password", ""), ("role", "viewer"),
                ]
            )
            #expect(added.status == .ok)
            let shown = try #require(
                added.text.firstMatch(of: /(\/console\/password\/[^<]+)<\/code>/)
            )
            var lea = browser
            lea.forgetCookies()
            #expect(try await lea.get(String(shown.1)).text.contains("lea@example.com"))
            let again = try await browser.get(ConsolePath.team.path)
            #expect(again.text.contains("lea@example.com") && !again.text.contains(shown.1))
        }
    }

    // MARK: Every route

    /// What stands in the places of an address, for the things of the sample.
    private static let places = [
        "1", "2", "3", "4", "9", "12", "menu", SampleWorkspace.name(1), SampleWorkspace.name(3),
        "\(SampleWorkspace.journeyStep(3))",
    ]

    /// The addresses of a route with everything of the sample in its places.
    private static func addresses(_ route: String) throws -> [String] {
        let place = try Regex(#"\{[^}]+\}|:\w+"#)
        var found = [route]
        while found.contains(where: { $0.firstMatch(of: place) != nil }) {
            found = found.flatMap { address in
                places.map { address.replacing(place, with: $0, maxReplacements: 1) }
            }
        }
        return found
    }

    /// The texts of a page that name something: its heading, and what leads to other pages.
    private static func names(_ text: String) -> Set<String> {
        let name = /<h1>([^<]+)<\/h1>|<td class="lead"[^>]*>(?:<b>)?<a [^>]*>([^<]+)<\/a>/
        var names: Set<String> = []
        for match in text.matches(of: name) {
            guard let found: Substring = match.1 ?? match.2, found.count > 5 else { continue }
            names.insert(String(found))
        }
        return names
    }

    /// What is on the pages of a workspace, as its administrator sees it.
    private static func pages(_ browser: inout ConsoleBrowser) async throws -> [String: String] {
        var pages: [String: String] = [:]
        for path in PageTests.pages { pages[path] = try await browser.get(path).text }
        return pages
    }

    /// Everything on the pages of a workspace without anything in it, but for its name.
    private static func ownTexts() async throws -> String {
        let texts = Mutex("")
        try await ConsoleBrowser.open(.empty) { browser in
            try await browser.logIn()
            let all = try await pages(&browser).values.joined()
            texts.withLock { $0 = all.replacing("Kissa Aoi", with: "") }
        }
        return texts.withLock { $0 }
    }

    @Test("no route shows or changes anything of another workspace")
    func everyRoute() async throws {
        let routes = try await ConsoleBrowser.routes().filter {
            $0.path.hasPrefix(ConsolePath.root) && $0.path != ConsolePath.logout.path
                && $0.path != ConsolePath.pushChanges.path
                && !$0.path.hasPrefix(ConsolePath.login.path)
        }
        // What the console says by itself is no name of anything.
        let own = try await Self.ownTexts()
        try await ConsoleBrowser.open { browser, store in
            let owned = try #require(
                try await store.memberships(email: "admin@example.com").first?.workspace
            )
            _ = try await Self.makeHarbor(store, administrator: "kai@example.com")
            try await browser.logIn()
            // Pages with something made anew each time, such as a form's number, are left out.
            let again = try await Self.pages(&browser)
            var before = try await Self.pages(&browser).filter { again[$0.key] == $0.value }
            // The figures of the server, such as its memory, are nobody's.
            before[ConsolePath.system.path] = nil
            #expect(before.count > 40)
            var stranger = browser
            stranger.forgetCookies()
            try await stranger.logIn("kai@example.com")
            let names = Set(again.values.flatMap(Self.names)).union(["Kissa Aoi"])
                .filter { !own.contains($0) }
            #expect(names.count > 10)
            let sought = names.map { (name: $0, bytes: Data($0.utf8)) }
            let csrf = try await stranger.get(ConsolePath.overview.path).field("csrf") ?? ""
            let fields = [
                ("csrf", csrf), ("workspace", "\(owned)"), ("app", "1"), ("campaign", "2"),
                ("segment", "1"), ("user", "3"), ("member", "1"), ("id", "1"), ("list", "1"),
                ("push", "9"), ("step", SampleWorkspace.name(1)),
                ("message", SampleWorkspace.name(1)),
            ]
            var asked = 0
            var refused = 0
            var read: Set<String> = []
            for route in routes {
                for address in try Self.addresses(route.path) {
                    let page = try await stranger.ask(route.method, address, fields)
                    asked += 1
                    #expect(page.status.code < 500, "\(route.method) \(address)")
                    // Most are the same page, which says that there is nothing.
                    if read.insert(page.text).inserted {
                        let bytes = Data(page.text.utf8)
                        for (name, part) in sought where bytes.range(of: part) != nil {
                            Issue.record("\(route.method) \(address) says \(name)")
                        }
                    }
                    // What the owner sees at an address with something's number, a stranger does not.
                    guard route.method == .get, address != route.path,
                        try await browser.get(address).status == .ok
                    else { continue }
                    refused += 1
                    #expect([400, 403, 404].contains(page.status.code), "\(address)")
                }
            }
            #expect(asked > routes.count && refused > 20)
            let after = try await Self.pages(&browser)
            for (path, text) in before where after[path] != text {
                Issue.record("\(path) has changed")
            }
        }
    }
}
