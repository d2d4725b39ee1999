import Foundation
import Testing

/// The numbers of docs/sizes.md are those of the sources.
@Suite("Sizes and limits on paper")
struct SizesTests {
    private struct Row {
        var limit: String
        /// The file of the constant, without its extension, and its name.
        var constant: String
    }

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where every limit has to be on the paper, as these are met first.
    private static let settings = ["RateLimits", "FrontSettings", "LiquidLimits"]
    private static let validators = [
        "CampaignValidator", "CatalogValidator", "ContentBlockValidator",
        "CustomAttributeValidator", "FieldValidator", "InAppMessageValidator",
        "JourneyValidator", "MessageValidator", "ReportLimits",
    ]

    private static let units: [String: Double] = [
        "": 1, "bytes": 1, "KiB": 1_024, "MiB": 1_048_576, "GiB": 1_073_741_824,
        "ms": 0.001, "s": 1, "min": 60, "h": 3_600, "days": 86_400,
    ]

    private static func rows() throws -> [Row] {
        try String(contentsOf: root.appending(path: "docs/sizes.md"), encoding: .utf8)
            .matches(of: /(?m)^\| .+ \| ([0-9][^|]*) \| `([A-Za-z0-9+.]+)` \|$/)
            .map { Row(limit: String($0.output.1), constant: String($0.output.2)) }
    }

    /// The sources by the names of their files; those of the simulators have limits of others.
    private static func sources() throws -> [String: String] {
        let folder = root.appending(path: "Sources")
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") && !path.hasPrefix("Simulation/") {
            let name = String(path.split(separator: "/").last?.dropLast(6) ?? "")
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            sources[name, default: ""] += text
        }
        return sources
    }

    /// The numbers of a limit on the paper, such as `2 to 10` and `30,000 in 3 s`. Days are days where
    /// the constant counts them.
    private static func numbers(_ limit: String, days: Double) -> [Double]? {
        let parts = limit.split(separator: /\ (?:to|in)\ /).map { part in
            part.split(separator: " ").map(String.init)
        }
        var numbers: [Double] = []
        for part in parts {
            let unit = part.count > 1 ? part[1] : limit.hasSuffix(" days") ? "days" : ""
            guard let number = Double(part[0].replacing(",", with: "")), let size = units[unit]
            else { return nil }
            numbers.append(number * (unit == "days" ? days : size))
        }
        return numbers
    }

    /// The numbers of the constant with this name.
    private static func numbers(of name: String, in source: String) throws -> [Double]? {
        let line = try Regex(
            "[ .(]\(name)(?:: [A-Za-z0-9.<>]+)? = ([^\\n]+)",
            as: (Substring, Substring).self
        )
        for match in source.matches(of: line) {
            if let numbers = numbers(ofExpression: String(match.output.1)) { return numbers }
        }
        return nil
    }

    private static func numbers(ofExpression text: String) -> [Double]? {
        let expression =
            text.hasSuffix(") {") ? String(text.dropLast(3)) : text
        if let match = expression.wholeMatch(
            of: /(?:Duration|TimeAmount)?\.(milliseconds|seconds|minutes|hours)\((.+)\)/
        ) {
            let sizes = ["milliseconds": 0.001, "seconds": 1, "minutes": 60, "hours": 3_600]
            let size = sizes[String(match.output.1)] ?? 1
            return product(match.output.2).map { [$0 * size] }
        }
        if let match = expression.wholeMatch(of: /RateLimit\(requests: (.+), seconds: (.+)\)/) {
            return both(match.output.1, match.output.2)
        }
        if let match = expression.wholeMatch(of: /(.+)\.\.\.(.+)/) {
            return both(match.output.1, match.output.2)
        }
        return product(expression[...]).map { [$0] }
    }

    private static func both(_ first: Substring, _ second: Substring) -> [Double]? {
        guard let first = product(first), let second = product(second) else { return nil }
        return [first, second]
    }

    /// Numbers that are multiplied or shifted.
    private static func product(_ text: Substring) -> Double? {
        if let match = text.wholeMatch(of: /([0-9_]+) << ([0-9]+)/) {
            guard let number = product(match.output.1), let places = Int(match.output.2)
            else { return nil }
            return number * Double(1 << places)
        }
        var result = 1.0
        for factor in text.split(separator: " * ", omittingEmptySubsequences: false) {
            guard let number = Double(factor.replacing("_", with: "")) else { return nil }
            result *= number
        }
        return result
    }

    @Test("each number on the paper is the one in the sources")
    func agree() throws {
        let sources = try Self.sources()
        let rows = try Self.rows()
        #expect(rows.count > 150)
        #expect(Set(rows.map(\.constant)).count == rows.count)
        for row in rows {
            let parts = row.constant.split(separator: ".").map(String.init)
            let source = try #require(sources[parts[0]], "there is no file \(parts[0]).swift")
            let found = try #require(
                try Self.numbers(of: parts[1], in: source),
                "\(row.constant) is no number any more"
            )
            let written = [86_400, 1].map { Self.numbers(row.limit, days: $0) }
            #expect(written.contains(found), "\(row.constant) is \(found), not \(row.limit)")
        }
    }

    @Test("every limit of a setting and of what is checked is on the paper")
    func complete() throws {
        let sources = try Self.sources()
        let known = Set(try Self.rows().map(\.constant))
        for (files, mark) in [
            (Self.settings, "package var"), (Self.validators, "static let"),
        ] {
            for file in files {
                let source = try #require(sources[file])
                let line = try Regex(
                    "\(mark) (\\w+)(?:: [A-Za-z]+)? = ([^\\n]+)",
                    as: (Substring, Substring, Substring).self
                )
                let names = source.matches(of: line)
                    .filter { Self.numbers(ofExpression: String($0.output.2)) != nil }
                    .map { "\(file).\($0.output.1)" }
                #expect(!names.isEmpty, "\(file)")
                for name in names { #expect(known.contains(name), "\(name) is not on the paper") }
            }
        }
    }

    @Test("every setting that it names is an option of the server")
    func settings() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/sizes.md"),
            encoding: .utf8
        )
        let options = try Self.sources().filter {
            $0.key.hasSuffix("Options") || $0.key == "ServeCommand"
        }
        .values.joined()
        let named = text.matches(of: /`--([a-z-]+)`/).map { String($0.output.1) }
        #expect(named.count > 15)
        for name in named { #expect(options.contains("\"\(name)\""), "--\(name)") }
    }
}
