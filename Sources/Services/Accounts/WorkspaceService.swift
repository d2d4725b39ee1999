import Foundation
import Model
import Ports

/// Reads and changes the settings of a workspace.
package struct WorkspaceService: Sendable {
    package typealias Store = WorkspaceStore & MembershipStore

    private let store: any Store
    private let now: @Sendable () -> Date

    package init(store: any Store, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// - Throws: `StoreError` with code `unreadable` if the workspace does not exist.
    package func workspace(_ id: WorkspaceID) async throws -> Workspace {
        guard let workspace = try await store.workspace(id) else { throw Self.missing(id) }
        return workspace
    }

    /// Who creates a workspace.
    package enum Creator: Sendable, Hashable {
        /// Becomes its administrator.
        case member(Member)
        /// An account of the operating system, for a member who becomes the administrator, if one is
        /// named.
        case commandLine(account: String, administrator: Member?)
    }

    /// All workspaces, oldest first.
    package func workspaces() async throws -> [Workspace] { try await store.workspaces() }

    /// A workspace that a member may open, and the member's role in it.
    package struct Membership: Sendable, Hashable {
        package var workspace: Workspace
        package var role: Member.Role
    }

    /// The workspaces that a member may open, oldest first.
    package func workspaces(of member: MemberID) async throws -> [Membership] {
        let roles = Dictionary(
            try await store.memberships(of: member).map { ($0.workspace, $0.role) },
            uniquingKeysWith: { first, _ in first }
        )
        return try await store.workspaces().compactMap { workspace in
            roles[workspace.id].map { Membership(workspace: workspace, role: $0) }
        }
    }

    /// Creates a workspace, which shares nothing with the others.
    ///
    /// - Throws: `ValidationError`; `NotAllowedError` to members who are no administrators of theirs.
    package func create(
        name: String,
        timeZone: String,
        by creator: Creator
    ) async throws -> Workspace {
        let settings = try WorkspaceSettings(name: name, timeZone: timeZone).checked()
        let administrator: Member?
        let author: (origin: AuditRecord.Origin, name: String)
        switch creator {
        case .member(let member):
            try Actor.member(member).require(.administrator)
            (administrator, author) = (member, (.console, member.name))
        case .commandLine(let account, let member):
            (administrator, author) = (member, (.commandLine, account))
        }
        do {
            let id = try await store.createWorkspace(
                settings,
                administrator: administrator,
                noting: AuditRecord(
                    at: now(),
                    origin: author.origin,
                    author: author.name,
                    action: "workspace_created",
                    subject: settings.name,
                    detail: administrator?.email ?? ""
                ),
                now: now()
            )
            return try await workspace(id)
        } catch let error as StoreError where error.code == .exists {
            throw WorkspaceSettings.wrong(.name, .workspaceNameTaken, settings.name)
        }
    }

    /// Changes settings; those that `change` does not set stay the same. A new time zone applies to
    /// days, schedules in the workspace's local time and counts from the next evaluation on;
    /// scheduled sends keep their time.
    ///
    /// - Throws: `ValidationError`; `NotAllowedError` to whoever is no administrator.
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
        StoreError(.unreadable, .noWorkspace, ["id": "\(id.rawValue)"])
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
