import Foundation
import Testing
import WebPages

@Suite struct LocalizationsTests {
    private func book(_ text: String) throws -> Localizations {
        try Localizations(files: [WebFile(path: "Test/Words/test.json", bytes: Array(text.utf8))])
    }

    @Test("a word without a text in some language is an error that names both")
    func missing() {
        #expect(throws: WebFileError.missing(key: "push.new", language: .portuguese)) {
            try book(#"{"push.new": {"en": "New", "ja": "新規"}}"#)
        }
    }

    @Test("counted words choose between one and many, and write the number as the language does")
    func counted() throws {
        let book = try book(
            """
            {"n.one": {"en": "{count} user", "ja": "{count}人", "pt-BR": "{count} usuário"},
             "n.other": {"en": "{count} users", "ja": "{count}人", "pt-BR": "{count} usuários"}}
            """
        )
        #expect(book[.english].counted("n", 1) == "1 user")
        #expect(book[.english].counted("n", 12_480) == "12,480 users")
        #expect(book[.portuguese].counted("n", 12_480) == "12.480 usuários")
        #expect(book[.japanese].counted("n", 12_480) == "12,480人")
    }

    @Test("a template walks down a key, and an unknown one shows")
    func template() throws {
        struct Model { let t: Words }
        let book = try book(
            #"{"a.b.c": {"en": "<deep>", "ja": "深い", "pt-BR": "fundo"}}"#
        )
        let templates = try TemplateLibrary(files: [
            WebFile(path: "x.mustache", bytes: Array("{{t.a.b.c}} {{t.a.d}}".utf8))
        ])
        let text = try templates.render("x", Model(t: book[.english]))
        #expect(text == "&lt;deep&gt; ⟦a.d⟧")
    }

    @Test("shares have a dash when there is no whole")
    func percent() throws {
        let words = try book("{}")[.english]
        #expect(words.percent(1, of: 0) == "–")
        #expect(words.percent(1, of: 3) == "33.3%")
    }
}
