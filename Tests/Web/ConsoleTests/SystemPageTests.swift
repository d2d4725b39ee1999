import Console
import Foundation
import Testing
import WebPages

@Suite("The page of the system")
struct SystemPageTests {
    @Test("tells whose conversions keep old rows, where rows are removed")
    func holders() async throws {
        try await ConsoleBrowser.open { browser, _ in
            try await browser.logIn()
            let why = "Some stay, whole"
            #expect(try await !browser.get(ConsolePath.system.path).text.contains(why))
            let settings = try await browser.get(ConsolePath.workspace.path)
            let periods = ["custom_event_days", "session_days"]
            let changed = settings.form(ConsolePath.workspace.path).map {
                name,
                value -> (name: String, value: String) in
                (name, periods.contains(name) ? "30" : value)
            }
            _ = try await browser.post(ConsolePath.workspace.path, changed)
            let page = try await browser.get(ConsolePath.system.path)
            // Campaigns with even numbers count a custom event, and none counts sessions.
            #expect(page.text.components(separatedBy: why).count == 2)
            #expect(page.text.contains(#"<a href="\#(ConsolePath.campaign("2").path)">"#))
            #expect(!page.text.contains(#"<a href="\#(ConsolePath.campaign("1").path)">"#))
        }
    }
}
