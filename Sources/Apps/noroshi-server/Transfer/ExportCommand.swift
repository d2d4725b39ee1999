import ArgumentParser
import Foundation
import Ingestion
import Model
import Ports
import Server
import StoreSQLite

enum ExportKind: String, CaseIterable, ExpressibleByArgument {
    case users, events, sends
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes users, events or sends to a file of any size.",
        discussion: """
            Rows are read in parts, so the command needs little memory and may run beside a \
            server. With --output it may be stopped and started again: it goes on where it was. \
            What `export users` and `export events` write, `import` reads.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "users, events or sends.")
    var kind: ExportKind
    @Option(help: "csv or ndjson.")
    var format = ImportReader.Format.ndjson
    @Option(help: "The file; standard output by default.")
    var output: String?

    func run() async throws {
        let opened = try await options.openExisting()
        var run = try ExportRun(
            rows: ExportRows(kind: kind, workspace: opened.id, store: opened.store),
            format: format,
            output: output
        )
        let rows = try await run.perform()
        if output != nil { print("\(rows) rows written") }
    }
}
