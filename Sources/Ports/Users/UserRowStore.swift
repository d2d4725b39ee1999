import Model
import NoroshiWire

/// All stored rows of one user.
package protocol UserRowStore: Sendable {
    /// All rows of a user, by kind; nothing is left out or summed up.
    func rows(of profile: ProfileID) async throws -> [String: [JSONValue]]
}
