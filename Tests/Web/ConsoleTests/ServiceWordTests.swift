import Console
import Foundation
import Reasons
import Testing
import WebPages

@Suite struct ServiceWordTests {
    private static func book() throws -> WordBook {
        try WordBook(console: .embedded)
    }

    @Test("what a service says is said in the member's language, with what it names")
    func said() throws {
        let book = try Self.book()
        #expect(book[.japanese].said("at most 50 pairs") == "最大 50 組までです。")
        #expect(
            book[.portuguese].said("'aps' is used by the payload itself; choose another key")
                == "“aps” é usado pela própria notificação; escolha outra chave."
        )
        #expect(book[.english].said("at most 50 pairs") == "at most 50 pairs")
        #expect(book[.japanese].said("something new") == "something new")
    }

    @Test("the most exact of several forms is taken")
    func exact() throws {
        let words = try Self.book()[.portuguese]
        let text = "The content block 'legal' cannot be used: it is a draft"
        #expect(
            words.said(text)
                == "O bloco de conteúdo “legal” não pode ser usado: é um rascunho."
        )
    }

    @Test(
        "a sentence within a sentence is said in the member's language too",
        arguments: [
            (
                "Liquid syntax error (line 2): 'if' tag was never closed",
                "Liquid の構文エラー（2行目）：「if」タグが閉じられていません。"
            ),
            (
                "Liquid syntax error (line 1): if tag does not expect 'else' tag",
                "Liquid の構文エラー（1行目）：「if」の中では else を使えません。"
            ),
            (
                "Liquid error (line 1): divided by 0",
                "Liquid のエラー（1行目）：0で割ることはできません。"
            ),
            (
                "line 1, column 8: a whole number is expected here",
                "1行目の8文字目：ここには整数が必要です。"
            ),
        ]
    )
    func nested(text: String, said: String) throws {
        #expect(try Self.book()[.japanese].said(text) == said)
    }

    @Test("every code has words in each language, with the places of its English sentence")
    func codes() throws {
        var words: [String: [String: String]] = [:]
        for file in WebFiles.embedded.folder("Console/Words") {
            let list = try JSONDecoder().decode(
                [String: [String: String]].self,
                from: Data(file.bytes)
            )
            words.merge(list) { first, _ in first }
        }
        for code in ReasonFamily.allCases.flatMap(\.codes) {
            for language in Language.allCases where language != .english {
                let text = words[WordBook.reasonBranch + code.key]?[language.rawValue]
                #expect(
                    text.map(Reason.places) == Reason.places(in: code.rawValue),
                    "\(code.key) in \(language.rawValue)"
                )
            }
        }
    }

    @Test("a type of codes has a family of its own")
    func families() {
        for family in ReasonFamily.allCases {
            #expect(!family.codes.isEmpty)
            #expect(family.codes.allSatisfy { type(of: $0).family == family })
        }
    }

    /// A text of a source with its interpolations written out.
    private static func filledIn(_ text: Substring) -> String {
        var rest = text
        var result = ""
        while let start = rest.range(of: "\\(") {
            result += rest[..<start.lowerBound] + "7"
            var depth = 1
            var end = start.upperBound
            while depth > 0, end < rest.endIndex {
                if rest[end] == "(" { depth += 1 }
                if rest[end] == ")" { depth -= 1 }
                end = rest.index(after: end)
            }
            rest = rest[end...]
        }
        return result + rest
    }

    /// So that nobody adds a check whose answer is English everywhere.
    @Test("every answer of the checks of messages and campaigns is translated")
    func complete() throws {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Services")
        let pattern = try Regex<(Substring, Substring)>(
            #"(?:report|fault|refuse)\([^"]*"[^"]*"[^",]*,\s*"((?:[^"\\]|\\.)*)"\)"#
        )
        let book = try Self.book()
        var found = 0
        let files = [
            "Campaigns/MessageCheck.swift", "Campaigns/CampaignCheck.swift",
            "InAppMessages/InAppMessageCheck.swift",
        ]
        for file in files {
            let text = try String(
                contentsOf: folder.appendingPathComponent(file),
                encoding: .utf8
            )
            for match in text.matches(of: pattern) {
                found += 1
                let sentence = Self.filledIn(match.output.1)
                #expect(
                    book[.japanese].said(sentence) != sentence,
                    "\(sentence) has no translation"
                )
            }
        }
        #expect(found > 40)
    }
}
