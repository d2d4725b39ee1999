import Foundation
import Testing
import WebPages

@Suite struct LanguageTests {
    @Test(
        "a browser gets the first of its languages that we have",
        arguments: [
            ("ja,en;q=0.8", Language.japanese),
            ("pt-PT, pt;q=0.9", .portuguese),
            ("de, fr;q=0.9, ja;q=0.4, en;q=0.3", .japanese),
            ("en;q=0.4, ja;q=0.9", .japanese),
            ("ja;q=0, pt", .portuguese),
            ("de", .english),
            ("", .english),
        ]
    )
    func preferred(header: String, language: Language) {
        #expect(Language.preferred(acceptLanguage: header) == language)
    }

    @Test("a browser that says nothing gets English")
    func silence() {
        #expect(Language.preferred(acceptLanguage: nil) == .english)
    }
}
