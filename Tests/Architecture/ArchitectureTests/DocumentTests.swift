import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The documents of the repository, by path.
    private static func documents() throws -> [String: String] {
        let files = FileManager.default
        let folders = ["", "docs/", "Tests/", "Sources/Core/Segments/", "Sources/Core/Liquid/"]
        var texts: [String: String] = [:]
        for folder in folders {
            for name in try files.contentsOfDirectory(atPath: root.appending(path: folder).path)
            where name.hasSuffix(".md") {
                texts[folder + name] = try String(
                    contentsOf: root.appending(path: folder + name),
                    encoding: .utf8
                )
            }
        }
        return texts
    }

    @Test("tests that a document names are there")
    func namedTests() throws {
        let tests = root("Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
        let known = Set(
            paths.map { String($0.split(separator: "/").last?.prefix { $0 != "." } ?? "") }
        )
        #expect(known.count > 200)
        for (path, text) in try Self.documents() {
            for match in text.matches(of: /`([A-Z]\w+Tests)`/) {
                let isKnown = known.contains(String(match.output.1))
                #expect(isKnown, "\(path) names \(match.output.1)")
            }
        }
    }

    @Test("links between documents lead to files and headings that are there")
    func links() throws {
        let documents = try Self.documents()
        for (path, text) in documents {
            for match in text.matches(of: /\]\(([^)\s:]+)\)/) {
                let parts = match.output.1.split(separator: "#", omittingEmptySubsequences: false)
                let target =
                    parts[0].isEmpty
                    ? root(path) : root(path).deletingLastPathComponent().appending(path: parts[0])
                #expect(
                    FileManager.default.fileExists(atPath: target.path),
                    "\(path) leads to \(match.output.1)"
                )
                guard parts.count > 1, target.pathExtension == "md" else { continue }
                let headings = try String(contentsOf: target, encoding: .utf8)
                    .matches(of: /(?m)^#+ (.+)$/).map { Self.anchor($0.output.1) }
                #expect(headings.contains(String(parts[1])), "\(path) leads to \(match.output.1)")
            }
        }
    }

    @Test("commands that a document names are those of ./noroshi")
    func commands() throws {
        let script = try String(contentsOf: root("noroshi"), encoding: .utf8)
        let known = Set(
            script.matches(of: /(?m)^ {4,8}([a-z| \\\n-]+)\)$/)
                .flatMap { $0.output.1.split { !$0.isLetter && $0 != "-" } }.map(String.init)
        )
        #expect(known.contains("serve") && known.contains("torture"))
        for (path, text) in try Self.documents() {
            for match in text.matches(of: /\.\/noroshi ([a-z-]+)/) {
                let isKnown = known.contains(String(match.output.1)) || match.output.1 == "help"
                #expect(isKnown, "\(path) names \(match.output.0)")
            }
        }
    }

    private func root(_ path: String) -> URL { Self.root.appending(path: path) }

    /// As hosts of repositories write the address of a heading.
    private static func anchor(_ heading: Substring) -> String {
        heading.lowercased().filter {
            $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
        }
        .replacing(" ", with: "-")
    }
}
