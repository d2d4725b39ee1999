import Foundation
import Testing

@Suite("Folders of tests")
struct TestFolderTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `AppleTests` are cases of `Scripts/check-apple`, which compiles them itself.
    private static let others: Set<String> = ["Tests/Client/AppleTests"]

    @Test("each belongs to a target, or nobody would run it")
    func targets() throws {
        let manifest = try String(
            contentsOf: Self.root.appending(path: "Package.swift"),
            encoding: .utf8
        )
        let targets = Set(
            manifest.matches(of: /tests\(\s*"([^"]*)",\s*"([^"]*)"/)
                .map { "Tests/\($0.output.1)\($0.output.2)Tests" }
        )
        #expect(targets.count > 40)
        let folders = try Self.folders()
        #expect(folders.subtracting(targets) == Self.others)
        #expect(targets.subtracting(folders) == [])
    }

    /// The outermost folders named `…Tests` that have Swift files somewhere in them.
    private static func folders() throws -> Set<String> {
        let tests = root.appending(path: "Tests")
        let files = try #require(
            FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        )
        var folders: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let parts = file.pathComponents.dropFirst(root.pathComponents.count).dropLast()
            guard let last = parts.dropFirst().firstIndex(where: { $0.hasSuffix("Tests") }) else {
                continue
            }
            folders.insert(parts[...last].joined(separator: "/"))
        }
        return folders
    }
}
