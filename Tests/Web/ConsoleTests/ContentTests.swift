import Console
import HTTPTypes
import SampleWorkspace
import Testing
import WebPages

@Suite struct ContentTests {
    @Test("a block is written, changed and found again; what was typed stays when it is wrong")
    func block() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let form = try await browser.get(ConsolePath.newContentBlock.path)
            let csrf = form.field("csrf") ?? ""
            let bad = try await browser.post(
                ConsolePath.newContentBlock.path,
                [("csrf", csrf), ("name", "legal"), ("content", "{% if x")]
            )
            #expect(bad.status == .unprocessableContent)
            #expect(bad.text.contains("The tag “{%” does not end with %}."))
            #expect(bad.text.contains("value=\"legal\""))
            #expect(bad.text.contains("{% if x"))
            let good = try await browser.post(
                ConsolePath.newContentBlock.path,
                [("csrf", csrf), ("name", "legal"), ("content", "No refunds.")]
            )
            #expect(good.status == .seeOther)
            let list = try await browser.get(ConsolePath.contentBlocks.path)
            #expect(list.text.contains("legal"))
        }
    }

    @Test("a block that an active campaign uses is not deleted, and the campaign is named")
    func usedBlock() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let path = ConsolePath.contentBlock(SampleWorkspace.name(1)).path
            let page = try await browser.get(path)
            #expect(page.text.contains("Cart reminder"))
            let answer = try await browser.post(
                ConsolePath.deleteContentBlock(SampleWorkspace.name(1)).path,
                [("csrf", page.field("csrf") ?? "")]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("Used by “Cart reminder”."))
        }
    }

    @Test("a name that is taken is said in the member's language, at the field")
    func taken() async throws {
        try await ConsoleBrowser.open { browser in
            browser.language = "ja"
            try await browser.logIn()
            let csrf = try await browser.get(ConsolePath.catalogs.path).field("csrf") ?? ""
            let answer = try await browser.post(
                ConsolePath.catalogs.path,
                [("csrf", csrf), ("name", "menu")]
            )
            #expect(answer.text.contains("この名前はすでに使われています。別の名前を入力してください。"))
        }
    }

    @Test("an item of a catalog is added, and a value of the wrong type is marked at its field")
    func item() async throws {
        try await ConsoleBrowser.open { browser in
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.catalog("menu").path)
            let csrf = page.field("csrf") ?? ""
            #expect(page.text.contains("{% catalog_selection_items menu favorites %}"))
            let path = ConsolePath.catalogItems("menu").path
            let bad = try await browser.post(
                path,
                [("csrf", csrf), ("id", "hojicha"), ("value.price", "cheap")]
            )
            #expect(bad.status == .unprocessableContent)
            #expect(bad.text.contains("id=\"fault-price\""))
            #expect(bad.text.contains("value=\"cheap\""))
            _ = try await browser.post(
                path,
                [("csrf", csrf), ("id", "hojicha"), ("value.price", "420")]
            )
            let after = try await browser.get(ConsolePath.catalog("menu").path)
            #expect(after.text.contains("hojicha"))
        }
    }
}
