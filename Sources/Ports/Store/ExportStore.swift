import Foundation
import Model

/// Reads everything out, part by part in the order of the rows' numbers.
package protocol ExportStore: Sendable {
    /// Users behind `id`.
    func exportUsers(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, user: ExportedUser)]

    /// Events behind `id`; those of deleted users are gone with them.
    func exportEvents(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, event: ExportedEvent)]

    /// Sends behind `id` with the numbers of their pushes.
    func exportSends(
        in workspace: WorkspaceID,
        after id: Int64,
        limit: Int
    ) async throws -> [(id: Int64, send: ExportedSend)]
}

package struct ExportedUser: Sendable {
    package var profile: Profile
    package var aliases: [UserAlias]
    package var devices: [RestoredUser.OwnDevice]

    package init(
        _ profile: Profile,
        aliases: [UserAlias],
        devices: [RestoredUser.OwnDevice]
    ) {
        self.profile = profile
        self.aliases = aliases
        self.devices = devices
    }
}

package struct ExportedEvent: Sendable {
    /// The bundle identifier of the app in which it happened.
    package var app: String?
    package var externalID: String?
    package var userID: UUID
    package var name: String
    package var time: Date
    package var properties: EventProperties

    package init(
        externalID: String?,
        userID: UUID,
        name: String,
        time: Date,
        properties: EventProperties,
        app: String? = nil
    ) {
        self.app = app
        self.externalID = externalID
        self.userID = userID
        self.name = name
        self.time = time
        self.properties = properties
    }
}

package struct ExportedSend: Sendable {
    package var state: String
    package var scheduledAt: Date
    package var startedAt: Date?
    package var finishedAt: Date?
    package var pushes: Int
    package var accepted: Int
    package var received: Int
    /// Directly or influenced.
    package var opened: Int
    package var directOpens: Int

    package init(
        state: String,
        scheduledAt: Date,
        startedAt: Date?,
        finishedAt: Date?,
        pushes: Int,
        accepted: Int,
        received: Int,
        opened: Int,
        directOpens: Int
    ) {
        self.state = state
        self.scheduledAt = scheduledAt
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.pushes = pushes
        self.accepted = accepted
        self.received = received
        self.opened = opened
        self.directOpens = directOpens
    }
}
