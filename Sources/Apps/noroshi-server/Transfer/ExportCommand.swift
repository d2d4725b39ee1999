import ArgumentParser
import Foundation
import Ingestion
import Model
import Server
import Transfers

enum ExportKind: String, CaseIterable, ExpressibleByArgument {
    case users, events, sends, content

    /// `nil` for content, which has no rows with ids.
    var rows: ExportRows.Kind? { ExportRows.Kind(rawValue: rawValue) }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes users, events, sends or what people have written to a file.",
        discussion: """
            Rows are read in parts, so the command needs little memory and may run beside a \
            server. With --output it may be stopped and started again: it goes on where it was. \
            What `export users`, `export events` and `export content` write, `import` reads.

            content is what people have written: segments, campaigns, content blocks, catalogs \
            with their items, in-app messages, news, preference centers, subscription groups, \
            limits and settings, as NDJSON. Secrets, members, apps and what was sent are not in \
            it.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "users, events, sends or content.")
    var kind: ExportKind
    @Option(help: "csv or ndjson.")
    var format = ImportReader.Format.ndjson
    @Option(help: "The file; standard output by default.")
    var output: String?

    func validate() throws {
        guard kind != .content || format == .ndjson else {
            throw ValidationError("content is written as ndjson")
        }
    }

    func run() async throws {
        let opened = try await options.openExisting()
        guard let kind = kind.rows else {
            let lines = try await ContentTransfer(opened).export(to: output)
            if output != nil { print("\(lines) lines written") }
            return
        }
        var run = try ExportJob(
            rows: ExportRows(kind, of: opened.id, from: opened.store),
            format: format,
            output: output
        )
        var bar: ProgressBar?
        let rows = try await run.perform { rows in
            if bar == nil { bar = ProgressBar(rowsBefore: rows) }
            bar?.show(rows: rows, part: nil)
        }
        bar?.finish()
        if output != nil { print("\(rows) rows written") }
    }
}
