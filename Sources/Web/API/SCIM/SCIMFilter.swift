import HTTPTypes
import Model

/// Reads the filters of a list: an attribute, `eq` and a text in quotes.
enum SCIMFilter {
    /// - Throws: `APIError` for an invalid or unsupported filter.
    static func filter(_ text: String) throws(APIError) -> MemberFilter {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count == 3, parts[1].lowercased() == "eq", let value = value(parts[2]) else {
            throw APIError(
                .badRequest,
                "'filter' is 'userName eq \"…\"' or 'externalId eq \"…\"'",
                scim: .invalidFilter
            )
        }
        switch attribute(parts[0]) {
        case "username", "emails", "emails.value": return .email(value)
        case "externalid": return .externalID(value)
        default:
            throw APIError(
                .badRequest,
                "users can be found by userName, emails.value and externalId, not by '\(parts[0])'",
                scim: .invalidFilter
            )
        }
    }

    /// The attribute without its schema; names are case-insensitive.
    private static func attribute(_ text: Substring) -> String {
        let name = text.lowercased()
        let schema = SCIMUser.schema.lowercased() + ":"
        return name.hasPrefix(schema) ? String(name.dropFirst(schema.count)) : name
    }

    /// The quoted text, in which a backslash escapes a quote or a backslash.
    private static func value(_ text: Substring) -> String? {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return nil }
        var value = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                return nil
            } else {
                value.append(character)
            }
        }
        return isEscaped || value.isEmpty || value.utf8.contains(0) ? nil : value
    }
}
