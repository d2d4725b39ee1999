import HTTPTypes
import Ingestion
import Model
import NoroshiWire

/// Changes of parts of a user (RFC 7644, section 3.5.2).
enum SCIMPatch {
    private static let operationLimit = 100

    /// The user after the changes of a request.
    static func apply(
        _ body: JSONValue,
        to entry: MemberEntry
    ) throws -> [String: JSONValue] {
        var user = SCIMUser.attributes(of: entry)
        let request = try RequestReader(SCIMUser.normalized(body))
        let operations = try request.objects("Operations", limit: operationLimit)
        guard !operations.isEmpty else {
            throw APIError(
                .badRequest,
                "'Operations' holds what is to be done",
                scim: .invalidSyntax
            )
        }
        for value in try request.list("Operations", limit: operationLimit) {
            let operation = try RequestReader(SCIMUser.normalized(value), path: "Operations")
            try apply(operation, to: &user)
        }
        return user
    }

    private static func apply(
        _ operation: RequestReader,
        to user: inout [String: JSONValue]
    ) throws {
        let name = try operation.requiredString("op").lowercased()
        guard ["add", "replace", "remove"].contains(name) else {
            throw APIError(
                .badRequest,
                "'op' is add, replace or remove",
                scim: .invalidSyntax
            )
        }
        let value = operation.value("value")
        guard let path = try operation.string("path") else {
            guard name != "remove" else {
                throw APIError(
                    .badRequest,
                    "'path' says what is removed",
                    scim: .noTarget
                )
            }
            guard let members = value?.objectValue else {
                throw APIError(
                    .badRequest,
                    "'value' is an object of attributes where there is no 'path'",
                    scim: .invalidValue
                )
            }
            for (attribute, value) in members.sorted(by: { $0.key < $1.key }) {
                try set(attribute, to: value, in: &user)
            }
            return
        }
        if name == "remove" {
            try set(path, to: .null, in: &user)
        } else if let value {
            try set(path, to: value, in: &user)
        } else {
            throw APIError(
                .badRequest,
                "'value' is required",
                scim: .invalidValue
            )
        }
    }

    /// Sets an attribute; the attributes of an object are set one by one.
    private static func set(
        _ path: String,
        to value: JSONValue,
        in user: inout [String: JSONValue]
    ) throws(APIError) {
        // Brackets select an element of a list; a user has one address and one role.
        let place = SCIMUser.name(String(path.prefix { $0 != "[" && $0 != "." }))
        let full =
            path.lowercased().hasPrefix(SCIMUser.schema.lowercased() + ":")
            ? String(path.dropFirst(SCIMUser.schema.count + 1)) : path
        let parts = full.prefix { $0 != "[" }.split(separator: ".").map {
            SCIMUser.name(String($0))
        }
        switch (parts.first ?? place, parts.count) {
        case ("name", 1):
            var name = user["name"]?.objectValue ?? [:]
            if value == .null { name = [:] }
            for (part, text) in SCIMUser.normalized(value).objectValue ?? [:] { name[part] = text }
            user["name"] = .object(name)
            rename(&user)
        case ("name", 2):
            var name = user["name"]?.objectValue ?? [:]
            name[parts[1]] = value
            user["name"] = .object(name)
            rename(&user)
        case ("roles", _):
            // Removing a role leaves the lowest one.
            user["roles"] =
                value.arrayValue.map(JSONValue.array)
                ?? (value == .null ? [["value": "viewer"]] : [value])
        case ("active", 1), ("displayName", 1), ("externalId", 1), ("password", 1),
            ("userName", 1):
            user[parts[0]] = value
        case ("emails", _):
            // The address is the userName, which has its own rule.
            return
        case ("id", 1), ("meta", _), ("schemas", _):
            throw APIError(
                .badRequest,
                "'\(path)' cannot be changed",
                scim: .mutability
            )
        default:
            throw APIError(
                .badRequest,
                "a user here has no '\(path)'",
                scim: .invalidPath
            )
        }
    }

    /// The display name is derived from the parts of the name.
    private static func rename(_ user: inout [String: JSONValue]) { user["displayName"] = nil }
}
