import Foundation
import Model
import NoroshiWire
import Reasons
import Relational

/// The existing subscription groups, read once per transaction.
struct KnownSubscriptionGroups {
    private static let attribute = StandardAttribute.subscriptionGroups.rawValue
    private var known: [WorkspaceID: Set<UUID>] = [:]

    /// Removes groups that do not exist from the changes and reports them; the identifiers of the
    /// others are normalized.
    mutating func removeUnknown(
        from changes: inout AttributeChanges,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> [FieldProblem] {
        guard let elements = changes.values[Self.attribute]?.arrayValue else { return [] }
        let groups = try groups(in: workspace, database)
        var kept: [JSONValue] = []
        var problems: [FieldProblem] = []
        for (index, element) in elements.enumerated() {
            // Elements that are not objects are rejected by the attribute's own rule.
            guard var members = element.objectValue,
                let text = members["subscription_group_id"]?.stringValue
            else {
                kept.append(element)
                continue
            }
            guard let id = UUID(uuidString: text), groups.contains(id) else {
                problems.append(
                    FieldProblem(
                        "\(Self.attribute).\(index).subscription_group_id",
                        .noGroup,
                        ["text": "\(text.prefix(64))"]
                    )
                )
                continue
            }
            members["subscription_group_id"] = .string(id.uuidString.lowercased())
            kept.append(.object(members))
        }
        if kept.isEmpty, !problems.isEmpty {
            // Assigning `nil` through a value would store `null`, which unsets the attribute.
            changes.values.removeValue(forKey: Self.attribute)
        } else {
            changes.values[Self.attribute] = .array(kept)
        }
        return problems
    }

    private mutating func groups(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> Set<UUID> {
        if let groups = known[workspace] { return groups }
        let groups = try Set(
            UUID.fetchAll(
                database,
                sql: "SELECT public_id FROM subscription_groups WHERE workspace_id = ?",
                arguments: [workspace.rawValue]
            )
        )
        known[workspace] = groups
        return groups
    }
}
