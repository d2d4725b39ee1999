import Console
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import SampleWorkspace
import Testing

/// Whoever opens a form and saves it has changed nothing, also not in what the form does not show.
@Suite("Forms that are saved as they were opened")
struct UntouchedFormTests {
    private func withConsole(
        _ work:
            @escaping @Sendable (inout ConsoleBrowser, any Store, WorkspaceID) async throws
            -> Void
    ) async throws {
        try await ConsoleBrowser.open { browser, store in
            try await browser.logIn()
            let workspace = try #require(try await store.workspaces().first).id
            try await work(&browser, store, workspace)
        }
    }

    @Test("an in-app message", arguments: 1...3)
    func inAppMessage(number: Int) async throws {
        try await withConsole { browser, store, workspace in
            let id = SampleWorkspace.id(number)
            var stored = try #require(try await store.inAppMessage(id, in: workspace))
            stored.message.rules.startsAtMilliseconds = 1_766_000_123_456
            stored.message.rules.delaySeconds = 90.25
            stored.message.rules.impressionLimit = 4
            stored.message.rules.intervalSeconds = 12_345.5
            stored.message.rules.triggers = [
                .event(
                    name: "tasted",
                    filters: [.init("kinds", .equals, .array(["1", .integer(2)]))]
                )
            ]
            stored.message.extras = ["a": "1", "b": " two "]
            stored.message.language = "ja"
            stored.message.orientation = .any
            stored.message.textAlignment = .center
            if stored.message.kind != .html {
                stored.message.clickAction = .attribute(
                    key: "last",
                    value: .object(["at": .string("12"), "of": .null])
                )
            }
            stored.message.message = "Tea\r\nfor {{${first_name}}}"
            stored.message.translations = [
                "ja": InAppTranslation(header: "お茶", message: "{{${first_name}}}\r\nさん"),
                "fr": InAppTranslation(header: ""),
            ]
            let rules = stored.message.rules
            stored.contents = stored.contents.map {
                var content = $0
                content.rules = rules
                return content
            }
            #expect(try await store.updateInAppMessage(stored))
            let before = try #require(try await store.inAppMessage(id, in: workspace))
            let page = try await browser.get(ConsolePath.editInApp(id.uuidString).path)
            let fields = page.form(ConsolePath.saveInApp.path)
            #expect(fields.count > 20)
            let answer = try await browser.post(
                ConsolePath.saveInApp.path,
                fields + [("step", "save")]
            )
            #expect(answer.status == .seeOther, "\(answer.text)")
            var after = try #require(try await store.inAppMessage(id, in: workspace))
            #expect(after.updatedAt > before.updatedAt)
            after.updatedAt = before.updatedAt
            #expect(after == before)
        }
    }

    @Test("news", arguments: 1...4 as ClosedRange<Int64>)
    func news(number: Int64) async throws {
        try await withConsole { browser, store, workspace in
            let id = NewsID(number)
            var content = try #require(try await store.news(id, in: workspace)).content
            content.text = "First\r\nSecond"
            content.attributes = ["n": .integer(9_007_199_254_740_993), "t": .string("<&>")]
            content.releaseEnd = SampleWorkspace.now.addingTimeInterval(90 * 86_400 + 12.345)
            content.tags = ["one", "two"]
            _ = try await store.updateNews(
                id,
                content: content,
                in: workspace,
                now: SampleWorkspace.now
            )
            let before = try #require(try await store.news(id, in: workspace))
            let path = ConsolePath.newsItem(String(number)).path
            let fields = try await browser.get(path).form(path)
            #expect(fields.count > 8)
            let answer = try await browser.post(path, fields)
            #expect(answer.status == .seeOther, "\(answer.text)")
            #expect(try await store.news(id, in: workspace)?.content == before.content)
        }
    }

    @Test("a content block")
    func block() async throws {
        try await withConsole { browser, store, workspace in
            let id = SampleWorkspace.id(1)
            var block = try #require(try await store.contentBlock(id, in: workspace))
            block.tags = ["footer", "legal"]
            block.content = "\n  <b>\"Quoted\"</b>\r\n& plain\n"
            #expect(try await store.updateContentBlock(block, noting: nil))
            let path = ConsolePath.contentBlock(id.uuidString.lowercased()).path
            let fields = try await browser.get(path).form(path)
            #expect(fields.count > 4)
            let answer = try await browser.post(path, fields)
            #expect(answer.status == .seeOther, "\(answer.text)")
            var after = try #require(try await store.contentBlock(id, in: workspace))
            after.updatedAt = block.updatedAt
            #expect(after == block)
        }
    }
}
