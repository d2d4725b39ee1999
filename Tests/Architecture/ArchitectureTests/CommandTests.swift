import Foundation
import Testing

@Suite("Commands")
struct CommandTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// What `NoroshiCommand` lists, by the name that is written on the command line.
    private static func names() throws -> [String] {
        let list = try text("Sources/Apps/noroshi-server/NoroshiCommand.swift")
        let types = list.matches(of: /(\w+)\.self/).map { String($0.output.1) }
        let folder = root.appending(path: "Sources/Apps/noroshi-server")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        let sources = try files.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        .joined(separator: "\n")
        return try types.map { type in
            let start = try #require(sources.range(of: "struct \(type): "), "\(type)")
            let match = try #require(
                sources[start.upperBound...].firstMatch(of: /commandName: "([a-z-]+)"/)
            )
            return String(match.output.1)
        }
    }

    @Test("every command of the program is one of ./noroshi, and is named by its help")
    func script() throws {
        let names = try Self.names()
        #expect(names.count > 15)
        let script = try Self.text("noroshi")
        let cases = script.matches(of: /(?m)^ {4,8}([a-z| \\\n-]+)\)$/)
            .flatMap { $0.output.1.split { !$0.isLetter && $0 != "-" } }.map(String.init)
        for name in names {
            #expect(cases.contains(name), "./noroshi does not know '\(name)'")
            #expect(
                script.contains("./noroshi \(name)") || script.contains("|\(name)"),
                "the help of ./noroshi does not name '\(name)'"
            )
        }
    }
}
