import Foundation
import Model
import Ports
import Testing

extension StoreConformance {
    /// The files of a folder stand for its rows until others take their place.
    package func keepsFolderFiles() async throws {
        let here = try await fixture().workspace
        let there = try await fixture().workspace
        let audit = AuditRecord(
            at: now,
            origin: .commandLine,
            author: "ada",
            action: "content_imported",
            subject: "1 lines"
        )
        func apply(_ files: [FolderFile]?, to workspace: WorkspaceID) async throws {
            try await store.changeWrittenContent(of: workspace, identifiers: [], now: now) { _ in
                var changes = WrittenContentChanges(audit: audit)
                changes.files = files
                return (changes, ())
            }
        }
        func records(_ workspace: WorkspaceID) async throws -> [String] {
            try await store.audit(in: workspace, matching: AuditQuery(limit: 50)).records
                .map(\.action)
        }
        let row = WrittenRow(kind: "segment", id: "0190f6a0-0000-7000-8000-000000000001")
        let files = [
            FolderFile(path: "noroshi.lock", text: "{}"),
            FolderFile(path: "segments/räglär.yaml", row: row, text: "name: お茶\n"),
            FolderFile(
                path: "settings.yaml",
                row: WrittenRow(kind: "settings", id: ""),
                text: nil
            ),
        ]
        #expect(try await !store.hasFolderFiles(in: here))
        try await apply(files.reversed(), to: here)
        #expect(try await store.hasFolderFiles(in: here))
        #expect(try await store.folderFiles(in: here) == files)
        #expect(try await store.folderFiles(in: there) == [])
        #expect(try await store.folderPath(of: row, in: here) == "segments/räglär.yaml")
        #expect(try await store.folderPath(of: row, in: there) == nil)
        #expect(
            try await store.folderPath(of: WrittenRow(kind: "settings", id: ""), in: here)
                == "settings.yaml"
        )
        #expect(try await records(here) == ["content_imported"])
        // The same ones are no change, and other changes keep them.
        try await apply(files, to: here)
        try await apply(nil, to: here)
        #expect(try await records(here) == ["content_imported"])
        #expect(try await store.folderFiles(in: here) == files)
        try await apply(Array(files.prefix(1)), to: here)
        #expect(try await store.folderPath(of: row, in: here) == nil)
        try await apply(files, to: here)
        var released = audit
        released.action = "folder_released"
        #expect(try await store.removeFolderFiles(in: here, noting: released) == 2)
        #expect(try await store.removeFolderFiles(in: here, noting: released) == 0)
        #expect(try await !store.hasFolderFiles(in: here))
        #expect(try await records(here).filter { $0 == "folder_released" }.count == 1)
    }
}
