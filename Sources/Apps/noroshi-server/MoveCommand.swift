import ArgumentParser
import Foundation
import Server
import StoreSQL
import Synchronization

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Moves everything from one database into a new one, of SQLite or of PostgreSQL.",
        discussion: """
            Users, devices, tokens, sealed credentials, pushes that wait, and all their numbers stay what \
            they are. No server may work on either database. The one that is read stays as it is; the \
            new one gets all or nothing.
            """
    )

    @Option(help: "The database to read: sqlite:FILE or postgres://HOST/DATABASE.") var from: String
    @Option(
        help: """
            The new one: sqlite:FILE, which is made, or postgres://HOST/DATABASE, which is there and empty. A \
            password is better kept in ~/.pgpass than on the command line, which others can see.
            """
    )
    var to: String

    func run() async throws {
        let (old, new) = (DatabaseLocation(from), DatabaseLocation(to))
        guard old != new else {
            throw ValidationError("--from and --to name the same database")
        }
        if let path = old.path, !FileManager.default.fileExists(atPath: path) {
            throw ValidationError("there is no database \(path); name it with --from")
        }
        let source = try await ClaimedDatabase(old, now: ServerDependencies.live.now())
        guard try await !source.store.workspaces().isEmpty else {
            throw ValidationError("there is nothing in \(old.name): it has no workspace")
        }
        let target = try await ClaimedDatabase(new, now: ServerDependencies.live.now())
        let bar = Mutex(ProgressBar(rowsBefore: 0))
        let start = ContinuousClock.now
        let counts: [String: Int]
        do {
            counts = try await DatabaseMove(from: source.store, to: target.store).run { progress in
                let part = Double(progress.rows) / Double(max(progress.total, 1))
                bar.withLock { $0.show(rows: progress.rows, part: part) }
            }
            bar.withLock { $0.finish() }
        } catch {
            bar.withLock { $0.finish() }
            throw error
        }
        try await target.close()
        try await source.close()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(
            "Moved \(counts.values.reduce(0, +)) rows of \(counts.count) tables to \(new.name) "
                + "in \(String(format: "%.1f", seconds)) s."
        )
        try await tell(old, new)
    }

    /// What is left to do, which no database knows.
    private func tell(_ old: DatabaseLocation, _ new: DatabaseLocation) async throws {
        let key =
            try await keyFile(old).map { "the key in \($0)" } ?? "the key of its former server"
        print("Its secrets stay sealed with \(key), which the next one needs:")
        if let path = new.path {
            print("copy the file to \(path).key, or name it with --secret-key-file.")
        } else {
            print("name the file with --secret-key-file, on each machine.")
        }
        print("Start no server on \(old.name) any more: both would send what is due.")
    }

    /// The key file that a server on a database reads where nobody says otherwise; `nil` if there is none.
    private func keyFile(_ location: DatabaseLocation) async throws -> String? {
        guard let database = location.path else { return nil }
        let path = try await Settings.load(
            options: ["database": "sqlite:\(database)"],
            configurationFile: nil,
            environment: ProcessInfo.processInfo.environment
        ).secretKeyPath
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
