import Foundation
import Testing

@Suite("The client libraries' documentation")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Where the compiled modules are: beside the program that runs the tests.
    private static let modules = URL(fileURLWithPath: CommandLine.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("Modules")

    @Test(
        "DocC takes every page and link, and every public symbol is described",
        .enabled(if: FileManager.default.fileExists(atPath: modules.path), "modules are elsewhere")
    )
    func everySymbol() throws {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("noroshi-documentation-\(UUID().uuidString)")
        // The folder is temporary; what is left of it does no harm.
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = Self.root.appendingPathComponent("Scripts/build-documentation")
        process.arguments = [Self.modules.path, output.path]
        let report = Pipe()
        process.standardOutput = report
        process.standardError = report
        try process.run()
        let text = String(
            decoding: report.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        let graphs = output.appendingPathComponent("symbol-graphs")
        let names = try FileManager.default.contentsOfDirectory(atPath: graphs.path)
        #expect(names.count == 8)
        for name in names {
            let file = graphs.appendingPathComponent("\(name)/\(name).symbols.json")
            let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
            // The content extension has one controller and its words.
            #expect(graph.symbols.count > (name == "NoroshiContent" ? 10 : 20))
            for symbol in graph.symbols where symbol.isWritten && symbol.docComment == nil {
                Issue.record("\(name): \(symbol.pathComponents.joined(separator: ".")) is bare")
            }
        }
    }

    /// What is read of a symbol graph.
    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Location: Decodable {
                var uri: String
            }

            struct Comment: Decodable {}

            var pathComponents: [String]
            var location: Location?
            var docComment: Comment?

            /// The compiler's own members have no place in a file.
            var isWritten: Bool { location != nil }
        }

        var symbols: [Symbol]
    }
}
