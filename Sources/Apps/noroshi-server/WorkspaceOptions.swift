import Accounts
import ArgumentParser
import Foundation
import Model
import Server
import StoreSQLite

/// The options of a command that works on one workspace.
struct WorkspaceOptions: ParsableArguments {
    @OptionGroup var options: SettingsOptions
    @Option(help: "The workspace, where there are several.")
    var workspace: String?

    /// Opens the store and finds the workspace: the one that is named, or the only one there is.
    func open() async throws -> OpenWorkspace {
        let settings = try await options.settings()
        return try await open(settings.openStore(), of: settings)
    }

    /// The same for a command that can do nothing in a database that is made only now.
    func openExisting() async throws -> OpenWorkspace {
        let settings = try await options.settings()
        return try await open(settings.openExistingStore(), of: settings)
    }

    private func open(_ store: SQLiteStore, of settings: Settings) async throws -> OpenWorkspace {
        let summary = try await noroshi_server.workspace(workspace, in: store)
        return OpenWorkspace(settings: settings, store: store, id: summary.id, name: summary.name)
    }
}

/// A workspace that a command works on, beside a running server or without one.
struct OpenWorkspace {
    let settings: Settings
    let store: SQLiteStore
    let id: WorkspaceID
    let name: String

    var accounts: AccountService {
        AccountService(store: store, now: World.live.now, random: World.live.random)
    }

    /// Writes down what was changed here, by the account of the operating system.
    func recordChange(_ action: String, _ subject: String, detail: String = "") async throws {
        try await noroshi_server.recordChange(action, subject, detail: detail, of: id, in: store)
    }
}

extension Settings {
    /// Opens the database, which is made where there is none.
    func openStore() throws -> SQLiteStore {
        try SQLiteStore(path: databasePath, synchronous: synchronous)
    }

    func openExistingStore() throws -> SQLiteStore {
        try requireDatabase()
        return try openStore()
    }

    /// Refuses a database that would be made only now.
    func requireDatabase() throws {
        guard FileManager.default.fileExists(atPath: databasePath) else {
            throw ValidationError("there is no database \(databasePath); name it with --database")
        }
    }
}

/// Writes down what was changed here, by the account of the operating system.
func recordChange(
    _ action: String,
    _ subject: String,
    detail: String = "",
    of workspace: WorkspaceID,
    in store: SQLiteStore
) async throws {
    try await AuditLog(store: store, origin: .commandLine, now: World.live.now).record(
        action,
        subject,
        detail: detail,
        by: NSUserName(),
        in: workspace
    )
}
