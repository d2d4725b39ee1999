import ArgumentParser
import Crypto
import Foundation
import Ingestion
import Model
import Server
import Transfers

enum ImportKind: String, CaseIterable, ExpressibleByArgument {
    case users, events, content

    /// `nil` for content, which has no rows of users.
    var rows: ImportReader.Kind? { ImportReader.Kind(rawValue: rawValue) }
}

extension ImportReader.Format: ExpressibleByArgument {}

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Brings users, events or what people have written in from a file.",
        discussion: """
            A CSV file has a header; its columns are the fields of /users/track. An NDJSON file \
            has one element of /users/track a line. The command may run beside a server, and may \
            be stopped and started again: it goes on where it was, and counts no row twice. Rows \
            that cannot be stored are named in FILE.rejected.csv with line, field and reason; so \
            are single fields, whose rows are stored without them.

            Users are named by external_id, user_alias, braze_id, email or phone. Columns that are \
            no standard attribute are custom ones; custom_attributes is an object of several. \
            Cells that read as numbers, true, false, lists or objects in JSON are that, others \
            are texts; an empty cell says nothing. gender is M, F, O, N or P, or a word such as \
            female. time is ISO 8601 or seconds since 1970.

            content is a file of `export content`. It is stored as a whole or, when a line cannot \
            be read, not at all; the lines and fields at fault are named. Campaigns, in-app \
            messages and news come in as drafts, and what runs is not changed. A second import of \
            the same file changes nothing.
            """
    )

    @OptionGroup var options: WorkspaceOptions
    @Argument(help: "users, events or content.")
    var kind: ImportKind
    @Argument(help: "The file.")
    var file: String
    @Option(help: "csv or ndjson; the file's ending says it otherwise.")
    var format: ImportReader.Format?
    @Option(help: "Columns to leave out, with commas between them, such as row,devices.")
    var ignore: String?
    @Option(
        name: .customLong("external-id"),
        help: "How the id is made of other columns: u{user_no:8} is u and eight digits."
    )
    var externalID: String?
    @Option(help: "Rows of one commit, from 1 to 100000.")
    var batch = 5_000

    func validate() throws {
        guard (1...100_000).contains(batch) else {
            throw ValidationError("--batch is from 1 to 100000")
        }
    }

    func run() async throws {
        let opened = try await options.open()
        guard let rows = kind.rows else {
            return print(try await ContentTransfer(opened).bringIn(file))
        }
        var run = try ImportJob(
            file: file,
            format: format ?? ImportReader.Format(
                rawValue: URL(fileURLWithPath: file).pathExtension
            )
                ?? .ndjson,
            reader: reader(of: rows),
            workspace: opened.id
        )
        var bar: ProgressBar?
        let progress = try await run.perform(
            opened.store,
            batch: batch,
            now: ServerDependencies.live.now
        ) { rows, part in
            if bar == nil { bar = ProgressBar(rowsBefore: rows) }
            bar?.show(rows: rows, part: part)
        }
        bar?.finish()
        let rate = bar?.rate(progress.rows + progress.rejected) ?? 0
        print("\(progress.rows) rows stored, \(progress.rejected) rejected, \(rate) rows/s")
        if progress.partial > 0 {
            print("Of the stored rows \(progress.partial) lack fields that could not be stored.")
        }
        if progress.rejected + progress.partial > 0 {
            print("What was rejected and why: \(run.reportPath)")
        }
    }

    private func reader(of kind: ImportReader.Kind) -> ImportReader {
        var reader = ImportReader(kind: kind, columns: nil)
        reader.externalID = externalID
        reader.ignored = Set(
            (ignore ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        )
        return reader
    }
}
