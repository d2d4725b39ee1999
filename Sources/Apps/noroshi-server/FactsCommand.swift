import ArgumentParser
import Facts
import Foundation
import Model
import Server

extension FactFormat: ExpressibleByArgument {}

struct FactsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facts",
        abstract: "Everything that happened, in the order of growing numbers.",
        subcommands: [Export.self, FactWebhookCommand.self]
    )

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes facts into files for a warehouse, each fact once.",
            discussion: """
                manifest.json names the files, with the numbers, rows and checksum of each. A file \
                is there only when it is complete. The command may be killed and started again at \
                any moment, and run beside a server; the next run goes on where the last one was. \
                docs/data-out.md says what facts there are.
                """
        )

        @OptionGroup var options: WorkspaceOptions
        @Option(help: "Where the files are written; it is made if it is missing.")
        var folder: String
        @Option(help: "ndjson or csv.")
        var format = FactFormat.ndjson
        @Option(help: "Kinds of facts, such as event,purchase; all by default.")
        var kinds: String?
        @Option(help: "The most facts of a file.")
        var rows = 100_000
        @Flag(help: "Goes on with what happens, until it is stopped.")
        var follow = false
        @Option(help: "With --follow: seconds whose facts go into one file.")
        var every = 60.0

        func validate() throws {
            guard rows > 0 else { throw ValidationError("--rows: a number from 1 on") }
            guard every >= 0 else { throw ValidationError("--every: a number from 0 on") }
            _ = try chosen()
        }

        private func chosen() throws -> Set<Fact.Kind> {
            guard let kinds else { return Set(Fact.Kind.allCases) }
            return Set(
                try kinds.split(separator: ",").map { name in
                    guard let kind = Fact.Kind(rawValue: String(name)) else {
                        let known = Fact.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                        throw ValidationError("--kinds: '\(name)' is none of \(known)")
                    }
                    return kind
                }
            )
        }

        func run() async throws {
            let opened = try await options.openExisting()
            var settings = FactExport.Settings()
            settings.format = format
            settings.kinds = try chosen()
            settings.rows = rows
            settings.every = every
            settings.follows = follow
            do {
                let export = try FactExport(
                    facts: FactService(store: opened.store),
                    workspace: opened.id,
                    named: opened.name,
                    folder: URL(filePath: folder),
                    settings: settings,
                    now: ServerDependencies.live.now
                )
                let written = try await export.run { print("\($0.name): \($0.rows) facts") }
                print("\(written) facts written, up to number \(export.manifest.position)")
            } catch let problem as FactExportProblem {
                throw ValidationError("\(problem)")
            } catch let problem as UnknownFactPositionError {
                throw ValidationError(
                    "the folder has facts up to a number that this database never gave; its last "
                        + "one is \(problem.last): was it restored from a backup? Choose another folder"
                )
            }
        }
    }
}
