import Foundation
import Model
import NoroshiWire
import Users

/// Writes users in the format of exports.
struct UserExporter: Sendable {
    let archive: UserArchive
    let workspace: WorkspaceID

    /// Calls the closure with users who still exist; empty `fields` means all of them.
    func forEach(
        _ users: [ProfileID],
        _ fields: Set<String>,
        _ receive: (JSONValue) async throws -> Void
    ) async throws {
        func asksFor(_ names: String...) -> Bool {
            fields.isEmpty || !fields.isDisjoint(with: names)
        }
        var parts: UserArchive.Parts = []
        if asksFor("custom_events", "purchases") { parts.insert(.activity) }
        if asksFor("total_revenue") { parts.insert(.spending) }
        if asksFor("campaigns_received") { parts.insert(.campaigns) }
        try await archive.forEach(users, in: workspace, parts) { entry in
            var user = UserExport(entry).json
            if !fields.isEmpty { user = user.filter { fields.contains($0.key) } }
            try await receive(.object(user))
        }
    }

    /// A user as one line of a file.
    static func line(_ user: JSONValue) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(user)) + [UInt8(ascii: "\n")]
    }
}
