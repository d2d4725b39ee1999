import Foundation
import JSON
import Model
import NoroshiWire
import Ports

/// The attributes of one user in a request, apart from what only steers the request.
///
/// An element of `attributes` in `/users/track` and the `attributes` of a recipient are read by
/// this one function, so that neither keeps a field of the request as an attribute.
package struct AttributeElement: Sendable {
    /// Members that say whom the element is about and how it is stored; never attributes.
    private static let controlFields: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects",
        "app_id", "push_token_import", "push_tokens",
    ]

    package let changes: AttributeChanges
    /// The user's other name.
    package let alias: UserAlias?
    /// Whether an unknown user is a rejection; `nil` where the element does not say.
    package let updatesExistingOnly: Bool?
    private let tokens: PushTokenReader

    /// - Throws: `FieldProblem` for a member that makes the whole element useless; what is wrong
    ///   with single tokens comes with the item's outcome.
    package init(_ element: JSONNode) throws(FieldProblem) {
        tokens = try PushTokenReader(
            element,
            isImport: try Self.flag("push_token_import", element) ?? false
        )
        updatesExistingOnly = try Self.flag("_update_existing_only", element)
        if let value = element.present("user_alias")?.value,
            case .alias(let name, let label) = try UserIdentifier.alias(value)
        {
            alias = UserAlias(name: name, label: label)
        } else {
            alias = nil
        }
        let mergesObjects = try Self.flag("_merge_objects", element) ?? false
        var values: [String: JSONValue] = [:]
        for (key, value) in element.members {
            guard let name = key.string, !Self.controlFields.contains(name) else { continue }
            values[name] = value.value
        }
        changes = AttributeChanges(values, mergesObjects: mergesObjects)
    }

    /// Stands for the nameless user of imported tokens.
    var nobody: UserReference? { tokens.user }

    package var isTokenImport: Bool { tokens.isImport }

    /// Whether it says nothing of the user.
    package var isEmpty: Bool {
        changes.values.isEmpty && alias == nil && tokens.tokens.isEmpty && tokens.problems.isEmpty
    }

    /// What is stored of it, for `user`.
    package func item(
        of user: UserReference,
        updatesExistingOnly: Bool,
        now: Date
    ) -> IngestItem {
        var item = IngestItem(
            recordID: nil,
            user: user,
            updatesExistingOnly: updatesExistingOnly,
            time: now,
            content: .attributes(changes)
        )
        item.pushTokens = tokens.tokens
        item.isTokenImport = tokens.isImport
        item.leftOut = tokens.problems
        if case .alias = user {} else { item.alias = alias }
        return item
    }

    static func flag(
        _ name: String,
        _ element: JSONNode
    ) throws(FieldProblem) -> Bool? {
        guard let value = element.present(name) else { return nil }
        guard let flag = value.bool else {
            throw FieldProblem(name, "send true or false")
        }
        return flag
    }
}
