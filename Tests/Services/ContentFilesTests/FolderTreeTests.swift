import Foundation
import Testing

@testable import ContentFolders

@Suite("The files of a folder")
struct FolderTreeTests {
    private struct Denied: LocalizedError {
        var errorDescription: String? { "You may not look." }
    }

    @Test(
        "a folder of a kind that cannot be read is named: what is in it is not gone; others are nobody's"
    )
    func unreadable() throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-tree-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for path in ["campaigns", "lost+found", "segments"] {
            let folder = root.appending(path: path)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try "name: tea\n".write(
                to: folder.appending(path: "tea.yaml"),
                atomically: true,
                encoding: .utf8
            )
        }
        func tree(without denied: String) throws -> FolderTree {
            try FolderTree(root) { folder in
                if folder.lastPathComponent == denied { throw Denied() }
                return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            }
        }
        let ours = ["campaigns/tea.yaml", "segments/tea.yaml"]
        #expect(try tree(without: "lost+found").paths == ours)
        // Its name may be misspelt.
        #expect(try FolderTree(root).paths.contains("lost+found/tea.yaml"))
        let error = #expect(throws: FolderError.self) { try tree(without: "segments") }
        #expect(
            error?.problems.map(\.description) == ["segments: cannot be read: You may not look."]
        )
    }
}
