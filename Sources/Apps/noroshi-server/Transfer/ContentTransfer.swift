import ArgumentParser
import ContentFiles
import Foundation
import Ingestion
import Model
import Server

/// Exports the content of a workspace to a file, and imports it.
struct ContentTransfer {
    private let service: ContentFileService
    private let workspace: WorkspaceID

    init(_ opened: WorkspaceHandle) {
        service = ContentFileService(store: opened.store, now: ServerDependencies.live.now)
        workspace = opened.id
    }

    /// Writes a file, or standard output, and returns its number of lines.
    func export(to path: String?) async throws -> Int {
        guard let path else { return try await export(to: .standardOutput) }
        // An existing file is kept until the new one is complete.
        let part = URL(fileURLWithPath: path + ".part")
        try Data().write(to: part)
        let file = try FileHandle(forWritingTo: part)
        let lines = try await export(to: file)
        try file.close()
        guard rename(part.path, path) == 0 else {
            throw ValidationError("\(path) cannot be written; \(part.path) has the export")
        }
        return lines
    }

    private func export(to file: FileHandle) async throws -> Int {
        try await service.export(workspace) { try file.write(contentsOf: Data($0.utf8)) }
    }

    /// Imports a file and returns a summary.
    func bringIn(_ path: String) async throws -> String {
        let file = try RecordFile(path: path, hasQuotes: false)
        guard file.size <= ContentFileService.byteLimit else {
            throw ValidationError(
                "\(path) has more than \(ContentFileService.byteLimit) bytes; "
                    + "take items of catalogs into files of their own"
            )
        }
        var records: [(number: Int, bytes: [UInt8])] = []
        while let record = try file.next() { records.append((record.line, record.bytes)) }
        let outcome: ContentFileOutcome
        do {
            outcome = try await service.bringIn(
                records,
                by: .commandLine(account: NSUserName(), workspace)
            )
        } catch let error as Model.ValidationError {
            throw ValidationError("nothing was stored\n\(error.linesOfFile)")
        }
        var text =
            "\(outcome.added) added, \(outcome.changed) changed, \(outcome.unchanged) unchanged"
        if outcome.items > 0 { text += "; \(outcome.items) items of catalogs" }
        return text
    }
}
