import ArgumentParser
import ContentFolders
import Foundation
import Logging
import Model
import Rehearsals
import Server
import StoreSQLite

/// A copy of a workspace in a temporary folder, or an empty one with the people of a file, with what is
/// rehearsed in it.
struct RehearsalStage {
    private let folder: URL
    private let opened: WorkspaceHandle

    /// - Parameter settings: Gets what is to be started.
    static func set(
        _ what: String,
        _ users: String?,
        _ options: WorkspaceOptions,
        _ settings: inout RehearsalSettings
    ) async throws -> RehearsalStage {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-rehearsal-\(UUID().uuidString.prefix(8))")
        // It gets a copy of everybody.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            return try await set(what, users, options, &settings, in: folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func set(
        _ what: String,
        _ users: String?,
        _ options: WorkspaceOptions,
        _ settings: inout RehearsalSettings,
        in folder: URL
    ) async throws -> RehearsalStage {
        var isFolder: ObjCBool = false
        let isFolderThere =
            FileManager.default.fileExists(atPath: what, isDirectory: &isFolder)
            && isFolder.boolValue
        guard isFolderThere || users == nil else {
            throw ValidationError(
                "with --users, name a folder of content; there is none at \(what)"
            )
        }
        let path = folder.appending(path: "rehearsal.sqlite").path
        let stage: RehearsalStage
        if let users {
            stage = try await empty(path, options, folder, at: settings.from)
            try await RehearsalGuests(stage.opened.store, of: stage.opened.id, now: settings.from)
                .add(users)
        } else {
            let original = try await options.openExisting()
            try await original.store.copy(to: path)
            stage = RehearsalStage(
                folder: folder,
                opened: WorkspaceHandle(
                    settings: original.settings,
                    store: try SQLiteStore(path: path, synchronous: .normal),
                    id: original.id,
                    name: original.name
                )
            )
        }
        settings.starts = isFolderThere ? try await stage.take(what) : .only(what)
        return stage
    }

    private static func empty(
        _ path: String,
        _ options: WorkspaceOptions,
        _ folder: URL,
        at now: Date
    ) async throws -> RehearsalStage {
        let store = try SQLiteStore(path: path, synchronous: .normal)
        let id = try await store.createWorkspace(name: "Rehearsal", timeZone: "UTC", now: now)
        return RehearsalStage(
            folder: folder,
            opened: WorkspaceHandle(
                settings: try await options.options.settings(),
                store: store,
                id: id,
                name: "Rehearsal"
            )
        )
    }

    /// Applies a folder of content to the copy.
    private func take(_ path: String) async throws -> RehearsalStart {
        let content = ContentFolder(path, opened, isCopy: true)
        do {
            let plan = try await content.plan()
            if !plan.isEmpty, try await content.apply(plan.id, settles: false) == nil {
                throw ValidationError("\(path) was changed while it was read")
            }
            return .named(
                campaigns: plan.names(of: "campaign"),
                journeys: plan.names(of: "journey")
            )
        } catch let error as FolderError {
            throw ValidationError("nothing was rehearsed\n\(error)")
        }
    }

    func play(
        _ settings: RehearsalSettings,
        _ write: @escaping @Sendable (RehearsalRow) throws -> Void
    ) async throws -> RehearsalResult {
        do {
            return try await Rehearsal(
                opened.store,
                of: opened.id,
                settings,
                payload: PayloadSize.meter,
                logger: .command(.critical),
                write: write
            ).run()
        } catch let problem as RehearsalProblem {
            throw ValidationError(problem.description)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
