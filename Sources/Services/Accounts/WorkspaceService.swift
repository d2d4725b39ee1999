import Foundation
import Model
import Ports

/// Reads and changes the settings of a workspace.
package struct WorkspaceService: Sendable {
    private let store: any WorkspaceStore
    private let now: @Sendable () -> Date

    package init(store: any WorkspaceStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// - Throws: `StoreError` with code `unreadable` if the workspace does not exist.
    package func workspace(_ id: WorkspaceID) async throws -> Workspace {
        guard let workspace = try await store.workspace(id) else { throw Self.missing(id) }
        return workspace
    }

    /// Changes settings; those that `change` does not set stay the same. A new time zone applies to
    /// days, schedules in the workspace's local time and counts from the next evaluation on;
    /// scheduled sends keep their time.
    ///
    /// - Throws: `ValidationError`; `NotAllowed` to whoever is no administrator.
    package func change(
        by actor: Actor,
        _ change: @escaping @Sendable (inout WorkspaceSettings) -> Void
    ) async throws -> Workspace {
        try actor.require(.administrator)
        let time = now()
        let others = Set(
            try await store.workspaces().filter { $0.id != actor.workspace }.map(\.name)
        )
        let changed = try await store.changeWorkspace(actor.workspace) { former in
            var settings = former
            change(&settings)
            settings = try settings.checked()
            // Commands look up a workspace by its name.
            if others.contains(settings.name) {
                throw WorkspaceSettings.wrong(.name, .workspaceNameTaken, settings.name)
            }
            return (
                settings,
                AuditRecord(
                    at: time,
                    by: actor,
                    action: "workspace_changed",
                    subject: settings.name,
                    detail: Self.difference(from: former, to: settings)
                )
            )
        }
        guard let changed else { throw Self.missing(actor.workspace) }
        return changed
    }

    private static func missing(_ id: WorkspaceID) -> StoreError {
        StoreError(.unreadable, "the workspace \(id.rawValue) is not there")
    }

    /// The changes as text, such as `time_zone: Asia/Tokyo → Europe/Berlin`.
    private static func difference(
        from former: WorkspaceSettings,
        to settings: WorkspaceSettings
    ) -> String {
        func list(_ settings: WorkspaceSettings) -> [(String, String)] {
            [
                ("name", settings.name), ("time_zone", settings.timeZone),
                ("currency", settings.currency),
                ("languages", settings.languages.joined(separator: " ")),
                ("color", settings.color.rawValue),
                ("requires_second_factor", "\(settings.requiresSecondFactor)"),
            ]
                + RetainedKind.allCases.map { kind in
                    (kind.field.rawValue, settings.retention[kind].map(String.init) ?? "for ever")
                }
        }
        return zip(list(former), list(settings))
            .filter { $0.1 != $1.1 }
            .map { "\($0.0): \($0.1) → \($1.1)" }
            .joined(separator: ", ")
    }
}
