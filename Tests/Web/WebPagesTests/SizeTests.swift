import Testing

@testable import WebPages

@Suite("Sizes of files in words")
struct SizeTests {
    @Test("nothing is 0 kB in every language", arguments: Language.allCases)
    func nothing(language: Language) {
        #expect(Words(language: language, texts: [:]).bytes(0) == "0 kB")
    }

    @Test("a size is in its largest unit")
    func sizes() {
        let words = Words(language: .english, texts: [:])
        #expect(words.bytes(1_500_000) == "1.5 MB")
        #expect(words.bytes(12_000) == "12 kB")
    }
}
