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

    /// What stands in quotes as the message of an error.
    private static func messages(of call: String, below folder: String) throws -> [String] {
        let sources = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
            .appendingPathComponent(folder)
        let pattern = try Regex<(Substring, Substring)>(
            call + #"\(\s*(?:\.?\w+(?:\.\w+)*,\s*)?"((?:[^"\\]|\\.)*)"(?!\s*\+)"#
        )
        let files = FileManager.default.enumerator(atPath: sources.path)
        return try (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
            .flatMap { file in
                try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
                    .matches(of: pattern).map { filledIn($0.output.1) }
            }
    }

    @Test(
        "every error of templates and of written conditions is translated",
        arguments: [
            ("LiquidError", "Core/Liquid/Render", 8), ("LiquidError", "Core/Liquid/Filters", 12),
            ("LiquidError", "Core/Liquid/Syntax", 4), ("LiquidError", "Core/Liquid/Tags", 12),
            ("problem", "Core/Segments/Text", 35), ("report", "Core/Segments/Evaluation", 12),
        ]
    )
    func errors(call: String, folder: String, least: Int) throws {
        let messages = try Self.messages(of: call, below: folder)
        #expect(messages.count >= least)
        let words = try Self.book()[.japanese]
        for message in messages {
            #expect(words.said(message) != message, "\(message) has no translation")
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
