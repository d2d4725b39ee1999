import ArgumentParser
import Foundation
import Model
import Server
import StoreSQL

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Finds and mends what the database cannot read.",
        discussion: """
            Reads every row of a copy, mends the copy and reads it again, and says what was found. \
            With --mend the database itself is mended in the same way, and the copy from before \
            stays beside it. The server must not be running.

            PostgreSQL checks its own pages and texts. There is no copy there: the rows are read as they are, \
            beside servers that run, and --mend, for which they have to be stopped, mends them in one \
            transaction. Make a dump before (pg_dump).
            """
    )

    /// Maximum number of printed lines per kind of fault and table.
    private static let shownFaults = 20

    @OptionGroup var options: SettingsOptions
    @Flag(help: "Mend the database, not only a copy of it.")
    var mend = false

    func run() async throws {
        let settings = try await options.settings()
        guard let path = settings.database.path else {
            try await examine(settings)
            return
        }
        try settings.requireDatabase()
        let claim = try DatabaseClaim.take(
            path: path,
            for: .current(.command, since: ServerDependencies.live.now())
        )
        defer { claim.release() }
        let store = try SQLStore(
            path: path,
            synchronous: settings.synchronous,
            isClaimed: true
        )
        let copy = path + ".before-doctor"
        try remove(copy)
        do {
            try await store.copy(to: copy)
        } catch {
            print("The database cannot be copied: \(error)")
            print("The file is damaged. Restore a backup, or save what can be read with")
            print("  sqlite3 \(path) .recover")
            throw ExitCode.failure
        }
        let trial = try await tryOn(copy)
        tell(trial.found)
        guard !trial.found.isHealthy else {
            try remove(copy)
            return
        }
        if trial.found.isFileDamaged {
            print("The file itself is damaged: restore a backup.")
            throw ExitCode.failure
        }
        if !trial.left.isHealthy {
            print("\nThis would be left when the rest is mended:")
            tell(trial.left)
        }
        guard mend else {
            try remove(copy)
            print("\nNothing was changed. Mend the database with ./noroshi doctor --mend")
            throw ExitCode.failure
        }
        _ = try await DatabaseDoctor(store).mend(now: ServerDependencies.live.now())
        let left = try await DatabaseDoctor(store).examine()
        print("\nMended \(trial.found.faults.count - left.faults.count) faults.")
        print("What was set aside is in the table set_aside_rows; the database as it was is")
        print("  \(copy)")
        if !left.isHealthy { throw ExitCode.failure }
    }

    /// Reads what is in PostgreSQL, and mends it where that is asked for.
    private func examine(_ settings: Settings) async throws {
        let store = try settings.openExistingStore()
        let found = try await DatabaseDoctor(store).examine()
        try await store.close()
        tell(found)
        guard !found.isHealthy else { return }
        guard mend else {
            print("\nNothing was changed. Stop the servers, make a dump (pg_dump), and mend the")
            print("database with ./noroshi doctor --mend")
            throw ExitCode.failure
        }
        let claimed = try await ClaimedDatabase(
            settings.database,
            now: ServerDependencies.live.now()
        )
        let doctor = DatabaseDoctor(claimed.store)
        let mended = try await doctor.mend(now: ServerDependencies.live.now())
        let left = try await doctor.examine()
        try await claimed.close()
        print("\nMended \(mended.faults.count - left.faults.count) faults.")
        print("What was set aside is in the table set_aside_rows.")
        guard !left.isHealthy else { return }
        print("\nThis is left:")
        tell(left)
        throw ExitCode.failure
    }

    /// Repairs a copy of the copy, so that the first one stays unchanged.
    private func tryOn(
        _ copy: String
    ) async throws -> (found: DoctorReport, left: DoctorReport) {
        let trial = copy + ".trial"
        try remove(trial)
        try FileManager.default.copyItem(atPath: copy, toPath: trial)
        let store = try SQLStore(
            path: trial,
            synchronous: .normal,
            copiesBeforeUpdate: false
        )
        let doctor = DatabaseDoctor(store)
        let found = try await doctor.mend(now: ServerDependencies.live.now())
        let left = found.isFileDamaged ? found : try await doctor.examine()
        try await store.close()
        try remove(trial)
        return (found, left)
    }

    private func tell(_ report: DoctorReport) {
        print("Read \(report.rows) rows: \(report.faults.count) faults.")
        let kinds = Dictionary(grouping: report.faults) { "\($0.table) \($0.remedy.rawValue)" }
        for kind in kinds.keys.sorted() {
            let faults = kinds[kind] ?? []
            guard let first = faults.first else { continue }
            print("\n\(first.table): \(faults.count), \(first.remedy.explanation)")
            for fault in faults.prefix(Self.shownFaults) {
                print("  \(fault.row.map { "row \($0): " } ?? "")\(fault.reason)")
            }
            if faults.count > Self.shownFaults {
                print("  and \(faults.count - Self.shownFaults) more")
            }
        }
    }

    private func remove(_ path: String) throws {
        for file in [path, path + "-wal", path + "-shm", path + ".lock"]
        where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
    }
}

extension StoredFault.Remedy {
    fileprivate var explanation: String {
        switch self {
        case .setAside: "set aside, as they were"
        case .withoutNull: "stored without U+0000"
        case .nearestTime: "given the nearest time that can be counted"
        case .cancelled: "cancelled, their content set aside"
        case .counted: "counted again from the rows"
        case .indexed: "indexed again from the rows, while the server works"
        case .packedAgain: "set aside; what can be read of them stays"
        case .none: "cannot be mended here"
        }
    }
}
