import Foundation
import Model
import NoroshiWire

/// Imports many rows from another system at once, bypassing the rules of ingestion.
package protocol BulkStore: Sendable {
    /// Inserts new users; the store assigns their ids.
    ///
    /// - Returns: The ids in the order of the users.
    /// - Throws: `StoreError` with code `exists` if an identifier is taken; nothing is stored then.
    func insert(_ profiles: [Profile]) async throws -> [ProfileID]
    /// Inserts devices of existing users; the store assigns their ids.
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
