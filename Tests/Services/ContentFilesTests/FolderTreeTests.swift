import Foundation
import Testing

@testable import ContentFolders

@Suite("The files of a folder")
struct FolderTreeTests {
    private struct Denied: LocalizedError {
        var errorDescription: String? { "You may not look." }
    }

    @Test("a folder in it that cannot be read is named: what is in it is not gone")
    func unreadable() throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-tree-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for path in ["campaigns", "segments"] {
            let folder = root.appending(path: path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try "name: tea\n".write(
                to: folder.appending(path: "tea.yaml"),
                atomically: true,
                encoding: .utf8
            )
        }
        #expect(try FolderTree(root).paths == ["campaigns/tea.yaml", "segments/tea.yaml"])
        let error = #expect(throws: FolderError.self) {
            try FolderTree(root) { folder in
                if folder.lastPathComponent == "segments" { throw Denied() }
                return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            }
        }
        #expect(
            error?.problems.map(\.description) == ["segments: cannot be read: You may not look."]
        )
    }
}
