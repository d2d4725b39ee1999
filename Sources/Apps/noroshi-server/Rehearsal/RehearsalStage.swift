import ArgumentParser
import ContentFolders
import Foundation
import Logging
import Model
import Rehearsals
import Server
import StoreSQL

/// A copy of a workspace, or an empty one with the people of a file, with what is rehearsed in it.
struct RehearsalStage {
    private let opened: WorkspaceHandle
    private let hands: RehearsalHands?

    /// Plays what is to be started, with the workspace's people or those of a file.
    static func play(
        _ what: String,
        _ users: String?,
        _ options: WorkspaceOptions,
        _ settings: RehearsalSettings,
        _ write: (@Sendable (RehearsalRow) throws -> Void)?
    ) async throws -> RehearsalResult {
        var isFolder: ObjCBool = false
        let isFolderThere =
            FileManager.default.fileExists(atPath: what, isDirectory: &isFolder)
            && isFolder.boolValue
        guard isFolderThere || users == nil else {
            throw ValidationError(
                "with --users, name a folder of content; there is none at \(what)"
            )
        }
        let original = users == nil ? try await options.openExisting() : nil
        return try await DatabaseCopy.with(of: original?.settings.database) { copy in
            var settings = settings
            let opened: WorkspaceHandle
            if let original {
                opened = original.with(copy.store)
            } else {
                opened = try await empty(copy, options, at: settings.from)
            }
            if let users {
                try await RehearsalGuests(opened.store, of: opened.id, now: settings.from)
                    .add(users)
            }
            settings.starts = isFolderThere ? try await take(what, into: opened) : .only(what)
            return try await RehearsalStage(opened: opened, hands: copy.hands)
                .play(settings, write)
        }
    }

    private static func empty(
        _ copy: DatabaseCopy,
        _ options: WorkspaceOptions,
        at now: Date
    ) async throws -> WorkspaceHandle {
        let id = try await copy.store.createWorkspace(
            name: "Rehearsal",
            timeZone: "UTC",
            now: now
        )
        return WorkspaceHandle(
            settings: try await options.options.settings(),
            store: copy.store,
            id: id,
            name: "Rehearsal"
        )
    }

    /// Applies a folder of content to the copy.
    private static func take(
        _ path: String,
        into opened: WorkspaceHandle
    ) async throws -> RehearsalStart {
        do {
            let plan = try await ContentFolder(path, opened, isCopy: true).applyToCopy()
            return .named(
                campaigns: plan.names(of: "campaign"),
                journeys: plan.names(of: "journey"),
                inAppMessages: plan.names(of: "in_app_message")
            )
        } catch let error as FolderError {
            throw ValidationError("nothing was rehearsed\n\(error)")
        }
    }

    private func play(
        _ settings: RehearsalSettings,
        _ write: (@Sendable (RehearsalRow) throws -> Void)?
    ) async throws -> RehearsalResult {
        do {
            return try await Rehearsal(
                opened.store,
                of: opened.id,
                settings,
                payload: PayloadSize.meter,
                logger: .command(.critical),
                hands: hands,
                write: write
            ).run()
        } catch let problem as RehearsalProblem {
            throw ValidationError("\(problem)")
        }
    }
}
