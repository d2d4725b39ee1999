import Foundation
import JSON
import Model
import NoroshiWire
import Ports

/// The attributes of one user in a request, without the fields that control the request.
///
/// Both the elements of `attributes` in `/users/track` and the `attributes` of a recipient are read
/// by this type, so that neither stores a control field as an attribute.
package struct AttributeElement: Sendable {
    /// Members that identify the user or control storage; never attributes.
    private static let controlFields: Set<String> = [
        "external_id", "user_alias", "braze_id", "_update_existing_only", "_merge_objects",
        "app_id", "push_token_import", "push_tokens",
    ]

    package let changes: AttributeChanges
    /// The user's other name.
    package let alias: UserAlias?
    /// Whether an unknown user is rejected; `nil` if the element does not say.
    package let updatesExistingOnly: Bool?
    private let tokens: PushTokenReader

    /// - Throws: `FieldProblem` for a member that invalidates the whole element; errors of single
    ///   tokens are part of the item's outcome.
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

    /// The anonymous user of imported tokens.
    var nobody: UserReference? { tokens.user }

    package var isTokenImport: Bool { tokens.isImport }

    /// Whether the element contains no data about the user.
    package var isEmpty: Bool {
        changes.values.isEmpty && alias == nil && tokens.tokens.isEmpty && tokens.problems.isEmpty
    }

    /// The item to store for `user`.
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
            throw FieldProblem(name, .sendFlag)
        }
        return flag
    }
}
