import Foundation
import Testing

/// Reads the sources: what is wrong is said by codes, so that every sentence stands in one table and
/// can be said in another language.
@Suite("What is wrong is a code")
struct ReasonRulesTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// Codes that are made of their arguments alone: what stands in them is another reason, the text
    /// with which a template's author ends a message, what the system says of a file, or what an earlier
    /// version stored.
    private static let composed: Set = [
        "AudienceReason.filter", "AudienceReason.matching", "CatalogReason.field",
        "ContentCallReason.noted", "FactExportReason.system", "JSONReason.inField",
        "LiquidReason.verbatim", "RehearsalReason.person",
    ]

    private static func files(in layers: [String]) throws -> [(name: String, text: String)] {
        try layers.flatMap { layer in
            let folder = sources.appending(path: layer)
            let paths = FileManager.default.enumerator(atPath: folder.path)
            return try (paths?.compactMap { $0 as? String } ?? [])
                .filter { $0.hasSuffix(".swift") }
                .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        }
    }

    @Test("no code says whatever text it is given")
    func sentences() throws {
        let declaration = try Regex<(Substring, Substring, Substring)>(
            #"(?s)enum (\w+): String, ReasonCode \{(.*?)\n\}"#
        )
        let sentence = try Regex<(Substring, Substring, Substring)>(
            #"case (\w+) =\s*"((?:[^"\\]|\\.)+)""#
        )
        let place = try Regex(#"\{\w+\}"#)
        var tables = 0
        for file in try Self.files(in: ["Core", "Services", "Web", "Apps"]) {
            for table in file.text.matches(of: declaration) {
                tables += 1
                for code in String(table.output.2).matches(of: sentence) {
                    let words = code.output.2.replacing(place, with: "").contains(where: \.isLetter)
                    let name = "\(table.output.1).\(code.output.1)"
                    #expect(words || Self.composed.contains(name), "\(name)")
                }
            }
        }
        #expect(tables > 10)
    }

    @Test(
        "a problem of a field, a store, a call or a setting, a refusal and an answer are made from a code",
        arguments: [
            #"FieldProblem\(\s*[^,()]+(?:\([^()]*\))?,\s*""#, #"ValidationError\(\s*\.[^,]+,\s*""#,
            #"\bRefusal\(\s*""#, #"\.problem\(\s*"[^"]*",\s*""#, #"\.field\(\s*"[^"]*",\s*""#,
            #"StoreError\(\s*\.\w+,\s*""#, #"StoreTrouble\(\s*""#, #"\.refused\(\s*""#,
            #"\.unavailable\(\s*""#, #"RehearsalProblem\(\s*""#, #"FactExportProblem\(\s*""#,
            #"Settings\.Problem\(\s*"[^"]*",\s*""#,
        ]
    )
    func literals(pattern: String) throws {
        let literal = try Regex(pattern)
        for file in try Self.files(in: [
            "Core", "Ports", "Stores", "Transports", "Services", "Web", "Apps",
        ]) {
            for match in file.text.matches(of: literal) {
                Issue.record("\(file.name): \(file.text[match.range])")
            }
        }
    }
}
