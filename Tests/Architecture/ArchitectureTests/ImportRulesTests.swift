import Foundation
import Testing

/// Reads the imports of every source file: the layers of docs/architecture.md hold, or this fails.
@Suite("Imports point down")
struct ImportRulesTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// A layer and the layers it may import, itself included.
    private static let layers: [String: Set<String>] = [
        "Client": ["Client"],
        "Core": ["Core", "NoroshiWire"],
        "Ports": ["Ports", "Core", "NoroshiWire"],
        "Stores": ["Stores", "Ports", "Core", "NoroshiWire"],
        "Transports": ["Transports", "Ports", "Core", "NoroshiWire"],
        "Services": ["Services", "Ports", "Core", "NoroshiWire"],
        "Web": ["Web", "Services", "Core", "NoroshiWire"],
        "Simulation": ["Simulation", "Client", "Core", "NoroshiWire"],
        "Apps": [
            "Apps", "Web", "Services", "Ports", "Core", "Stores", "Transports", "Simulation",
            "Client",
        ],
    ]

    /// Packages that only some layers or modules may import.
    private static let packages: [String: Set<String>] = [
        "Hummingbird": ["Web", "Apps"], "HummingbirdCore": ["Web", "Apps"], "Mustache": ["Web"],
        "GRDB": ["Relational", "StoreSQL"], "Yams": ["ContentFolders"],
        "AsyncHTTPClient": ["Transports", "Apps"],
        "NIOHTTP2": ["Transports", "Simulation", "Front"],
        "NIOHPACK": ["Transports", "Simulation"], "ArgumentParser": ["Apps"],
        "Configuration": ["Apps"],
        // Values are handed to `Monitoring`, never to a factory that the whole process shares.
        "CoreMetrics": ["Services", "Front", "Server"], "Metrics": [],
    ]

    private struct Import {
        var file: String
        var layer: String
        var module: String
        var imported: String
    }

    /// The layer and module of a source file, from its path below `Sources`.
    private static func place(_ path: [String]) -> (layer: String, module: String)? {
        guard path.count >= 2 else { return nil }
        if path[0] == "Ports" { return ("Ports", "Ports") }
        return (path[0], path[1])
    }

    private static func swiftFiles() throws -> [(path: [String], text: String)] {
        let enumerator = FileManager.default.enumerator(
            at: sources,
            includingPropertiesForKeys: nil
        )
        var files: [(path: [String], text: String)] = []
        while let file = enumerator?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let path = Array(
                file.standardizedFileURL.pathComponents.dropFirst(
                    sources.standardizedFileURL.pathComponents.count
                )
            )
            files.append((path, try String(contentsOf: file, encoding: .utf8)))
        }
        return files
    }

    private static func imports() throws -> [Import] {
        try swiftFiles().flatMap { file -> [Import] in
            guard let place = place(file.path) else { return [] }
            let name = file.path.joined(separator: "/")
            return file.text.split(separator: "\n").compactMap { line in
                var words = line.split(separator: " ").map(String.init)
                while let first = words.first,
                    first.hasPrefix("@")
                        || ["public", "package", "internal", "private", "fileprivate"].contains(
                            first
                        )
                {
                    words.removeFirst()
                }
                guard words.count >= 2, words[0] == "import" else { return nil }
                let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let"]
                let module = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
                let root = module.split(separator: ".").first.map(String.init) ?? module
                return Import(
                    file: name,
                    layer: place.layer,
                    module: place.module,
                    imported: root
                )
            }
        }
    }

    /// Our own modules and the layer of each.
    private static func modules() throws -> [String: String] {
        var modules: [String: String] = [:]
        for file in try swiftFiles() {
            if let place = place(file.path) { modules[place.module] = place.layer }
        }
        return modules
    }

    @Test("the sources are found")
    func found() throws {
        let modules = try Self.modules()
        #expect(modules["NoroshiWire"] == "Client")
        #expect(modules["Model"] == "Core")
        #expect(modules.count >= 10)
    }

    @Test("every layer imports only itself and what is below it")
    func layering() throws {
        let modules = try Self.modules()
        for item in try Self.imports() {
            guard let imported = modules[item.imported], item.imported != item.module else {
                continue
            }
            let allowed = Self.layers[item.layer] ?? []
            #expect(
                allowed.contains(imported) || allowed.contains(item.imported),
                "\(item.file) imports \(item.imported), which \(item.layer) may not"
            )
        }
    }

    @Test("commands speak with services and know no ports")
    func commands() throws {
        for item in try Self.imports() where item.module == "noroshi-server" {
            #expect(item.imported != "Ports", "\(item.file)")
        }
    }

    @Test("a package is imported only where it belongs")
    func packages() throws {
        for item in try Self.imports() {
            guard let allowed = Self.packages[item.imported] else { continue }
            #expect(
                allowed.contains(item.layer) || allowed.contains(item.module),
                "\(item.file) imports \(item.imported), which belongs to \(allowed.sorted())"
            )
        }
    }

    @Test("the product imports nothing that is made for benchmarks or tests")
    func product() throws {
        let others: Set = ["SyntheticAudience", "Testing", "XCTest", "HummingbirdTesting"]
        for item in try Self.imports() {
            #expect(!others.contains(item.imported), "\(item.file) imports \(item.imported)")
        }
    }

    @Test("what ships inside apps imports nothing but itself and the system")
    func client() throws {
        let modules = try Self.modules()
        let system: Set = [
            "Foundation", "FoundationNetworking", "Dispatch", "Glibc", "Musl", "Darwin", "Android",
            "UserNotifications", "UserNotificationsUI", "UIKit", "WebKit", "AppKit", "SwiftUI",
            "SafariServices",
            "WatchKit", "CoreLocation", "os", "OSLog", "ObjectiveC", "UniformTypeIdentifiers",
        ]
        for item in try Self.imports() where item.layer == "Client" {
            #expect(
                modules[item.imported] == "Client" || system.contains(item.imported),
                "\(item.file) imports \(item.imported)"
            )
        }
    }

    @Test("rules ask neither clock nor chance nor the outside")
    func purity() throws {
        let forbidden = [
            " Date()", "(Date()", "Date.now", " UUID()", "(UUID()", ".random(", "FileManager",
            "URLSession",
            "ProcessInfo.processInfo.environment",
        ]
        for file in try Self.swiftFiles() where file.path.first == "Core" {
            for line in file.text.split(separator: "\n") {
                let code = line.trimmingCharacters(in: .whitespaces)
                if code.hasPrefix("//") { continue }
                for word in forbidden where code.contains(word) {
                    Issue.record("\(file.path.joined(separator: "/")) uses \(word)")
                }
            }
        }
    }
}
