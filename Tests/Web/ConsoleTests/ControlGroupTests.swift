import Console
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing

@Suite("The workspace's control group in the console")
struct ControlGroupTests {
    private func save(
        _ share: String,
        redraw: Bool = false,
        _ browser: inout ConsoleBrowser
    ) async throws -> ConsoleBrowser.Page {
        let page = try await browser.get(ConsolePath.limits.path)
        let fields = page.form(ConsolePath.controlGroup.path).filter { $0.name == "csrf" }
        return try await browser.post(
            ConsolePath.controlGroup.path,
            fields + [(name: "share", value: share)]
                + (redraw ? [(name: "redraw", value: "yes")] : [])
        )
    }

    @Test("an administrator gives it a share, sees since when it is there, and ends it")
    func settings() async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            let none = try await browser.get(ConsolePath.controlGroupReport.path)
            #expect(none.text.contains("This workspace has no control group."))
            #expect(none.text.contains("#control-group\""))
            #expect(try await save("20", &browser).status == .seeOther)
            let group = try #require(try await store.limits(of: workspace).controlGroup)
            #expect(group.share == 20)
            let page = try await browser.get(ConsolePath.limits.path)
            #expect(page.text.contains("name=\"share\" value=\"20\""))
            #expect(page.text.contains("Draw other users"))
            #expect(try await save("20", redraw: true, &browser).status == .seeOther)
            #expect(try await store.limits(of: workspace).controlGroup?.seed != group.seed)
            for wrong in ["51", "-1", "many"] {
                let refused = try await save(wrong, &browser)
                #expect(refused.status == .unprocessableContent)
                #expect(refused.text.contains("name=\"share\" value=\"\(wrong)\""))
            }
            #expect(try await save("", &browser).status == .seeOther)
            #expect(try await store.limits(of: workspace).controlGroup == nil)
        }
    }

    @Test("its report compares it with everybody else")
    func report() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            _ = try await save("50", &browser)
            let page = try await browser.get(ConsolePath.controlGroupReport.path)
            #expect(page.status == .ok)
            #expect(page.text.contains("Everyone else"))
            #expect(page.text.contains("<table class=\"fold experiment\">"))
        }
    }

    @Test("a push asks whether it reaches the group only where there is one")
    func push() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let before = try await browser.get(ConsolePath.newPush.path)
            #expect(!before.text.contains("reachesControlGroup"))
            _ = try await save("5", &browser)
            let after = try await browser.get(ConsolePath.newPush.path)
            #expect(after.text.contains("name=\"reachesControlGroup\" value=\"yes\">"))
        }
    }
}
