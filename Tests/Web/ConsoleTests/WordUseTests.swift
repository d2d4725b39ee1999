import Foundation
import Model
import Reasons
import Testing
import WebPages

@testable import Console

/// Every word that a page asks for exists, and none lies around unused.
@Suite struct WordUseTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Web")

    private static func swiftTexts(_ owners: [String]) throws -> [String] {
        try owners.flatMap { owner in
            let folder = sources.appendingPathComponent(owner)
            let files = FileManager.default.enumerator(atPath: folder.path)
            return try (files?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        }
    }

    /// Words that templates name as `t.a.b`.
    private static func templateWords(_ owner: String) throws -> Set<String> {
        let pattern = try Regex<(Substring, Substring)>(#"\{\{[#^/]?t\.([a-z0-9_.]+)\}\}"#)
        let files = WebFiles.embedded.folder("\(owner)/Templates")
        return Set(files.flatMap { $0.text.matches(of: pattern).map { String($0.output.1) } })
    }

    /// Texts in Swift that have the form of a key of this book.
    private static func swiftWords(_ owners: [String], _ branches: Set<Substring>) throws
        -> Set<String>
    {
        let pattern = try Regex<(Substring, Substring)>(#""([a-z_]+(?:\.[a-z0-9_]+)+)""#)
        let found = try swiftTexts(owners).flatMap { text in
            text.matches(of: pattern).map { String($0.output.1) }
        }
        return Set(found.filter { branches.contains($0.prefix { $0 != "." }) })
    }

    private static func book(_ owner: String) throws -> Localizations {
        owner == "Console"
            ? try Localizations(console: .embedded)
            : try Localizations(files: WebFiles.embedded.folder("\(owner)/Words"))
    }

    private static func check(_ owner: String, others: [String], elsewhere: Set<String>) throws {
        let book = try book(owner)
        let branches = Set(book.keys.map { $0.prefix { $0 != "." } })
        var used = try templateWords(owner)
        let asked = try swiftWords([owner] + others, branches)
        // A counted word stands for its two forms.
        for key in asked {
            if book.keys.contains(key + ".one") {
                used.formUnion([key + ".one", key + ".other"])
            } else {
                used.insert(key)
            }
        }
        used.formUnion(elsewhere)
        #expect(used.subtracting(book.keys).sorted() == [], "words that do not exist")
        #expect(book.keys.subtracting(used).sorted() == [], "words that nobody uses")
    }

    @Test("the console's pages use exactly the words that exist")
    func console() throws {
        let units = ["minute", "hour", "day"]
        let times = units.flatMap { unit in
            ["past", "future"].flatMap { ["time.\($0).\(unit).one", "time.\($0).\(unit).other"] }
        }
        let others =
            AuditAction.allCases.map(\.wordKey) + AuditRecord.Origin.allCases.map(\.wordKey)
            + ValueKind.allCases.map(\.wordKey)
            + InAppChoice.all.flatMap { choice in
                [choice.wordKey] + choice.values.map(choice.wordKey(of:))
            }
        let said =
            ReasonFamily.allCases.flatMap(\.codes).map { Localizations.reasonBranch + $0.key }
        try Self.check("Console", others: ["WebPages"], elsewhere: Set(times + others).union(said))
    }

    @Test("the phones' pages use exactly the words that exist")
    func phones() throws {
        let pattern = try Regex<(Substring, Substring)>(#"[wW]ords\.([a-z_]+)"#)
        let scripts = WebFiles.embedded.folder("Phones/Assets").filter {
            $0.fileExtension == "js"
        }
        var keys = scripts.flatMap { $0.text.matches(of: pattern).map { "device.\($0.output.1)" } }
        keys.removeAll { $0 == "device.en" }
        keys += ["granted", "denied", "waiting", "provisional"].map { "device.permission_\($0)" }
        try Self.check("Phones", others: [], elsewhere: Set(keys))
    }

    @Test(
        "a translation keeps the places that the English text fills in",
        arguments: ["Console", "Phones"]
    )
    func places(owner: String) throws {
        let book = try Self.book(owner)
        let place = try Regex(#"\{[a-zA-Z]{2,}\}"#)
        for key in book.keys {
            let expected = Set(book[.english](key).matches(of: place).map { String($0.0) })
            for language in Language.allCases {
                let found = Set(book[language](key).matches(of: place).map { String($0.0) })
                #expect(found == expected, "\(key) in \(language.rawValue)")
            }
        }
    }
}
