import Foundation

extension JSONValue {
    /// The JSON form of a value from a dynamic collection such as `[String: Any]`; `nil` if it has
    /// none.
    ///
    /// Dates become ISO 8601 text with milliseconds in UTC; URLs and UUIDs become text. Booleans
    /// are distinguished from the numbers 0 and 1, whether they come from Swift or from `NSNumber`.
    public init?(any value: Any?) {
        guard let value else {
            self = .null
            return
        }
        if let value = value as? JSONValue {
            self = value
        } else if let value = Self.scalar(value) {
            self = value
        } else if let elements = value as? [Any?] {
            let converted = elements.map { JSONValue(any: $0) }
            guard !converted.contains(nil) else { return nil }
            self = .array(converted.compactMap { $0 })
        } else if let members = value as? [AnyHashable: Any?] {
            guard let converted = Self.members(members) else { return nil }
            self = .object(converted)
        } else {
            return nil
        }
    }

    /// The members of a dynamic dictionary; `nil` if a key is not a string or a value has no JSON
    /// form.
    public static func members(_ dictionary: [AnyHashable: Any?]) -> [String: JSONValue]? {
        var members: [String: JSONValue] = [:]
        for (key, value) in dictionary {
            guard let key = key as? String, let value = JSONValue(any: value) else { return nil }
            members[key] = value
        }
        return members
    }

    /// A date in wire format: ISO 8601, UTC, milliseconds.
    public static func date(_ date: Date) -> JSONValue {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return .string(formatter.string(from: date))
    }

    private static func scalar(_ value: Any) -> JSONValue? {
        // The exact type first: a cast to Bool would also take numbers on Apple's systems.
        switch value {
        case let value where type(of: value) == Bool.self:
            return (value as? Bool).map(JSONValue.bool)
        case is NSNull: return .null
        case let value as String: return .string(value)
        case let value as Date: return .date(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as UUID: return .string(value.uuidString)
        case let value where type(of: value) is any BinaryInteger.Type:
            guard let integer = value as? any BinaryInteger else { return nil }
            return Int64(exactly: integer).map(JSONValue.integer) ?? .number(Double(integer))
        case let value where type(of: value) == Double.self:
            return (value as? Double).map(JSONValue.number)
        case let value where type(of: value) == Float.self:
            return (value as? Float).map { .number(Double($0)) }
        case let value as NSNumber: return number(value)
        default: return nil
        }
    }

    private static func number(_ number: NSNumber) -> JSONValue {
        #if canImport(Darwin)
        if CFGetTypeID(number) == CFBooleanGetTypeID() { return .bool(number.boolValue) }
        #else
        // On Linux only Booleans in NSNumber have the type code `c`.
        if String(cString: number.objCType) == "c" { return .bool(number.boolValue) }
        #endif
        if let integer = Int64(exactly: number.doubleValue), integer == number.int64Value {
            return .integer(integer)
        }
        let isFloat = ["f", "d"].contains(String(cString: number.objCType))
        return isFloat ? .number(number.doubleValue) : .integer(number.int64Value)
    }

    /// The value in Foundation's dynamic types, as in a push payload's `userInfo`.
    public var anyValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(\.anyValue)
        case .object(let members): members.mapValues(\.anyValue)
        }
    }
}
