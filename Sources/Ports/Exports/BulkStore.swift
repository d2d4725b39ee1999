import Foundation
import Model
import NoroshiWire

/// Brings in many rows of another system at once, past the rules of ingestion.
package protocol BulkStore: Sendable {
    /// Inserts new users; their numbers are made by the store.
    ///
    /// - Returns: The numbers in the order of the users.
    /// - Throws: `StoreError` with code `exists` when an identifier is taken; nothing is stored then.
    func insert(_ profiles: [Profile]) async throws -> [ProfileID]
    /// Inserts devices of users that are there; their numbers are made by the store.
    func insert(_ devices: [Device], in workspace: WorkspaceID) async throws
    func insert(_ events: [BulkEvent], in workspace: WorkspaceID) async throws
}

package struct BulkEvent: Sendable, Hashable {
    package var profile: ProfileID
    package var name: String
    package var time: Date
    package var properties: [String: JSONValue]

    package init(
        profile: ProfileID,
        name: String,
        time: Date,
        properties: [String: JSONValue] = [:]
    ) {
        self.profile = profile
        self.name = name
        self.time = time
        self.properties = properties
    }
}
