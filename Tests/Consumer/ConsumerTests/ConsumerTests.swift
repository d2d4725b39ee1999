import Foundation
import Testing

/// An app that uses the SDK downloads one package: this one.
@Suite("An app that uses the SDK")
struct ConsumerTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().standardizedFileURL

    private struct Dependency: Decodable {
        var name: String
        var dependencies: [Dependency]
    }

    @Test("resolves one package", .timeLimit(.minutes(20)))
    func onePackage() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-consumer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let sources = folder.appending(path: "Sources/Consumer")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Consumer",
            platforms: [.iOS(.v15), .macOS(.v15)],
            dependencies: [.package(path: "\(Self.root.path)")],
            targets: [
                .executableTarget(
                    name: "Consumer",
                    dependencies: [
                        .product(
                            name: "Noroshi", package: "\(Self.root.lastPathComponent.lowercased())")
                    ])
            ])
        """.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        try "import Noroshi\n".write(
            to: sources.appending(path: "main.swift"),
            atomically: true,
            encoding: .utf8
        )

        let output = try swift([
            "package", "--package-path", folder.path, "show-dependencies", "--format", "json",
        ])
        let json = try #require(output.firstIndex(of: "{").map { output[$0...] })
        let consumer = try JSONDecoder().decode(Dependency.self, from: Data(json.utf8))
        #expect(consumer.dependencies.count == 1)
        #expect(consumer.dependencies.flatMap(\.dependencies).map(\.name) == [])
    }

    private func swift(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
