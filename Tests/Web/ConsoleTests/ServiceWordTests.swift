import Foundation
import Testing
import WebPages

@Suite struct ServiceWordTests {
    private static func book() throws -> WordBook {
        try WordBook(files: WebFiles.embedded.folder("Console/Words"))
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
            .deletingLastPathComponent().appendingPathComponent("Sources/Services/Campaigns")
        let pattern = try Regex<(Substring, Substring)>(
            #"(?:report|fault|refuse)\([^"]*"[^"]*"[^",]*,\s*"((?:[^"\\]|\\.)*)"\)"#
        )
        let book = try Self.book()
        var found = 0
        let files = [
            "MessageCheck.swift", "CampaignCheck.swift", "InAppMessages/InAppMessageCheck.swift",
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
