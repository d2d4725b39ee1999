import Crypto
import Facts
import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("Files of facts")
struct FactExportTests {
    private struct Desk {
        let folder: URL
        let history: FactHistory

        var files: URL { folder.appending(path: "files") }

        func export(
            _ format: FactFormat = .ndjson,
            rows: Int = 50,
            named name: String = "Tea house"
        ) throws -> FactExport {
            var settings = FactExport.Settings()
            settings.format = format
            settings.rows = rows
            return try FactExport(
                facts: FactService(store: history.store, pause: {}),
                workspace: history.fixture.workspace,
                named: name,
                folder: files,
                settings: settings,
                now: { Date(timeIntervalSince1970: 0) }
            )
        }

        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: files.path)
                .filter { $0.hasPrefix("facts-") }.sorted()
        }

        func text(_ name: String) throws -> String {
            try String(contentsOf: files.appending(path: name), encoding: .utf8)
        }
    }

    private func withDesk(_ body: (Desk) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-facts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        try await body(Desk(folder: folder, history: try await FactHistory(store, seed: 4)))
    }

    private func numbers(_ text: String) throws -> [Int64] {
        try text.split(separator: "\n").map {
            try #require(try JSONReader.read($0.utf8)["number"]?.integerValue)
        }
    }

    @Test("the files have every fact once, and the manifest says what is in each")
    func once() async throws {
        try await withDesk { desk in
            var written: [Int64] = []
            for _ in 0..<6 {
                for _ in 0..<30 { try await desk.history.step() }
                let export = try desk.export()
                _ = try await export.run()
                written = []
                #expect(export.manifest.files.map(\.name) == (try desk.names()))
                for file in export.manifest.files {
                    let text = try desk.text(file.name)
                    let numbers = try numbers(text)
                    written += numbers
                    #expect(numbers.first == file.first && numbers.last == file.last)
                    #expect(numbers.count == file.rows && file.rows <= 50)
                    #expect(text.utf8.count == file.bytes)
                    let digest = SHA256.hash(data: Data(text.utf8))
                    #expect(digest.map { String(format: "%02x", $0) }.joined() == file.sha256)
                }
            }
            #expect(written == Array(Set(written)).sorted())
            let last = try await desk.history.store.lastFactNumber()
            let page = try await desk.history.store.facts(
                in: desk.history.fixture.workspace,
                after: 0,
                kinds: Set(Fact.Kind.allCases),
                limit: 10_000
            )
            #expect(page.position == last)
            #expect(Set(page.facts.map(\.number)).isSubset(of: written))
        }
    }

    @Test("what a killed run left behind is taken up", arguments: FactFormat.allCases)
    func killed(format: FactFormat) async throws {
        try await withDesk { desk in
            for _ in 0..<60 { try await desk.history.step() }
            let manifest = desk.files.appending(path: FactManifest.name)
            do {
                let first = try desk.export(format)
                _ = try await first.run()
            }
            let before = try Data(contentsOf: manifest)
            for _ in 0..<60 { try await desk.history.step() }
            let second: FactManifest
            do {
                let export = try desk.export(format)
                _ = try await export.run()
                second = export.manifest
            }
            // Killed before the manifest was replaced, and in the middle of a file.
            try before.write(to: manifest)
            try Data("{\"number\":".utf8).write(to: desk.files.appending(path: ".facts.part"))
            let third = try desk.export(format)
            #expect(third.manifest == second)
            #expect(try await third.run() == 0)
            #expect(try desk.names() == second.files.map(\.name))
        }
    }

    @Test("a second writer and a folder of something else are refused")
    func refused() async throws {
        try await withDesk { desk in
            do {
                let first = try desk.export()
                #expect(throws: FactExportProblem.self) { _ = try desk.export() }
                for _ in 0..<5 { try await desk.history.step() }
                _ = try await first.run()
            }
            #expect(throws: FactExportProblem.self) { _ = try desk.export(.csv) }
            #expect(throws: FactExportProblem.self) { _ = try desk.export(named: "Coffee house") }
            _ = try desk.export()
        }
    }

    @Test("every field of a fact has its column")
    func columns() async throws {
        try await withDesk { desk in
            for _ in 0..<200 { try await desk.history.step() }
            _ = try await desk.history.store.numberFacts()
            let page = try await desk.history.store.facts(
                in: desk.history.fixture.workspace,
                after: 0,
                kinds: Set(Fact.Kind.allCases),
                limit: 10_000
            )
            let fields = Set(page.facts.flatMap { $0.object.keys })
            #expect(fields.subtracting(FactFormat.columns) == [])
        }
    }
}
