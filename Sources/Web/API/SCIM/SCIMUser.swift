import Accounts
import Foundation
import Ingestion
import Model
import NoroshiWire
import Reasons

/// A member in the words of SCIM (RFC 7643, section 4.1).
enum SCIMUser {
    static let schema = "urn:ietf:params:scim:schemas:core:2.0:User"
    static let path = "/scim/v2/Users"

    // MARK: Writing

    static func json(_ entry: MemberEntry, at origin: String) -> JSONValue {
        let member = entry.member
        var name: [String: JSONValue] = ["formatted": .string(member.name)]
        name["givenName"] = entry.givenName.map(JSONValue.string)
        name["familyName"] = entry.familyName.map(JSONValue.string)
        let id = SCIMID.text(of: entry)
        var user: [String: JSONValue] = [
            "schemas": [.string(schema)], "id": .string(id), "userName": .string(member.email),
            "name": .object(name), "displayName": .string(member.name),
            "active": .bool(entry.isActive),
            "emails": [["value": .string(member.email), "type": "work", "primary": true]],
            "roles": [["value": .string(member.role.rawValue), "primary": true]],
            "meta": [
                "resourceType": "User", "created": .string(Timestamp.format(entry.createdAt)),
                "lastModified": .string(Timestamp.format(entry.updatedAt)),
                "location": .string("\(origin)\(path)/\(id)"),
            ],
        ]
        user["externalId"] = entry.externalID.map(JSONValue.string)
        user["lastSignInAt"] = member.lastSignedInAt.map { .string(Timestamp.format($0)) }
        return .object(user)
    }

    /// A member in the form of a request, for partial changes.
    static func attributes(of entry: MemberEntry) -> [String: JSONValue] {
        var name: [String: JSONValue] = [:]
        name["givenName"] = entry.givenName.map(JSONValue.string)
        name["familyName"] = entry.familyName.map(JSONValue.string)
        var user: [String: JSONValue] = [
            "userName": .string(entry.member.email), "name": .object(name),
            "displayName": .string(entry.member.name), "active": .bool(entry.isActive),
            "roles": [["value": .string(entry.member.role.rawValue)]],
        ]
        user["externalId"] = entry.externalID.map(JSONValue.string)
        return user
    }

    // MARK: Reading

    /// The member data in a request; a new member without a role is a viewer.
    ///
    /// - Parameter current: The member whose address and role are kept if none are sent.
    static func draft(
        _ body: JSONValue,
        of current: MemberEntry? = nil
    ) throws -> MemberDirectory.Draft {
        let reader = try RequestReader(normalized(body))
        let length = 1...MemberDirectory.nameLimit
        let email =
            try reader.plainText("userName", 1...MemberDirectory.emailLimit)
            ?? current?.member.email
        guard let email else { throw reader.problem("userName", .required) }
        guard isAddress(email) else {
            throw reader.problem("userName", .signInAddress)
        }
        var given: String?
        var family: String?
        var formatted: String?
        if let name = reader.value("name") {
            let name = try RequestReader(normalized(name), path: "name")
            given = try name.plainText("givenName", 0...MemberDirectory.nameLimit)
            family = try name.plainText("familyName", 0...MemberDirectory.nameLimit)
            formatted = try name.plainText("formatted", 0...MemberDirectory.nameLimit)
        }
        let parts = [given, family].compactMap(\.self).filter { !$0.isEmpty }
        let display = try reader.plainText("displayName", 0...MemberDirectory.nameLimit)
        let name =
            [display, formatted, parts.joined(separator: " ")]
            .compactMap(\.self).first { !$0.isEmpty } ?? email
        return MemberDirectory.Draft(
            email: email,
            name: String(name.prefix(MemberDirectory.nameLimit)),
            role: try role(reader) ?? current?.member.role ?? .viewer,
            details: MemberDetails(
                givenName: given,
                familyName: family,
                externalID: try reader.plainText("externalId", length),
                isActive: try flag("active", reader) ?? true
            ),
            password: try reader.plainText("password", MemberDirectory.passwordLength)
        )
    }

    /// Normalizes the names of attributes, which are case-insensitive, to those of the standard.
    static func normalized(_ value: JSONValue) -> JSONValue {
        guard let object = value.objectValue else { return value }
        return .object(
            Dictionary(
                object.map { (name($0.key), $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }

    /// The standard name of an attribute, without its schema.
    static func name(_ name: String) -> String {
        let prefix = schema.lowercased() + ":"
        var lowered = name.lowercased()
        if lowered.hasPrefix(prefix) { lowered = String(lowered.dropFirst(prefix.count)) }
        return names[lowered] ?? name
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: [
            "schemas", "id", "userName", "name", "givenName", "familyName", "formatted",
            "displayName", "externalId", "active", "password", "emails", "roles", "value",
            "Operations", "op", "path",
        ].map { ($0.lowercased(), $0) }
    )

    /// Some directories send Booleans as texts.
    private static func flag(
        _ field: String,
        _ reader: RequestReader
    ) throws(FieldProblem) -> Bool? {
        switch reader.value(field)?.stringValue?.lowercased() {
        case "true": return true
        case "false": return false
        default: return try reader.flag(field)
        }
    }

    private static func role(_ reader: RequestReader) throws(FieldProblem) -> Member.Role? {
        var roles: [Member.Role] = []
        for (index, value) in try reader.list("roles", limit: 10).enumerated() {
            let text = value.stringValue ?? normalized(value)["value"]?.stringValue ?? ""
            guard let role = Member.Role(rawValue: text.lowercased()) else {
                let names = Member.Role.allCases.map(\.rawValue).joined(separator: ", ")
                throw reader.problem("roles.\(index)", .isOneOf, ["known": .text(names)])
            }
            roles.append(role)
        }
        // Each role includes those before it.
        return Member.Role.allCases.last(where: roles.contains)
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && !text.contains { $0.isWhitespace || $0.isNewline }
    }
}
