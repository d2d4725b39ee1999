import Foundation
import Model
import NoroshiWire

/// Read access to users and their devices.
package protocol ProfileStore: Sendable {
    func profile(_ id: ProfileID) async throws -> Profile?
    /// The user that a reference means. If several users have an e-mail address or phone number,
    /// the most recently updated one with an external id, otherwise the most recently updated one.
    func profile(_ reference: UserReference, in workspace: WorkspaceID) async throws -> Profile?
    /// Profiles whose external id, e-mail address, phone number or first or last name begins with
    /// `prefix`, the most recently updated first; all of them for an empty prefix.
    func profiles(matching prefix: String, in workspace: WorkspaceID, limit: Int, offset: Int)
        async throws -> [Profile]
    /// Profiles that have `text` as an identifier of any kind: external id, present or former,
    /// e-mail address, phone number, alias, the server's own id, anonymous id, installation or push
    /// token.
    func profiles(identifiedBy text: String, in workspace: WorkspaceID, limit: Int) async throws
        -> [Profile]
    func devices(of profile: ProfileID) async throws -> [Device]
    func userCounts(in workspace: WorkspaceID) async throws -> UserCounts
    /// The latest events of a user, newest first. Slow by design, in favor of ingestion: events are
    /// indexed by name and time.
    func events(of profile: ProfileID, limit: Int) async throws -> [StoredEvent]
}

/// Number of users of a workspace, and how many of them can be reached.
package struct UserCounts: Sendable, Hashable {
    package var users: Int
    /// Users with a device that shows pushes and who have not unsubscribed.
    package var reachableUsers: Int
    package var reachableDevices: Int

    package init(users: Int, reachableUsers: Int, reachableDevices: Int) {
        self.users = users
        self.reachableUsers = reachableUsers
        self.reachableDevices = reachableDevices
    }
}

/// A stored event.
package struct StoredEvent: Sendable, Hashable {
    package var name: String
    package var time: Date
    package var properties: [String: JSONValue]

    package init(name: String, time: Date, properties: [String: JSONValue]) {
        self.name = name
        self.time = time
        self.properties = properties
    }
}
