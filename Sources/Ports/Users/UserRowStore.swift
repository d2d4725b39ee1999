import Model
import NoroshiWire

/// Everything that is stored of one user.
package protocol UserRowStore: Sendable {
    /// All rows of a user, by what they are; nothing is left out or added up.
    func rows(of profile: ProfileID) async throws -> [String: [JSONValue]]
}
