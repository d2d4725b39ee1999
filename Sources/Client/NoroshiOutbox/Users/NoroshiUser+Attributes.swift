import Foundation
import NoroshiWire

extension NoroshiUser {
    /// Sets a custom attribute to a text of at most 255 characters.
    @discardableResult
    public func setCustomAttribute(key: String, value: String) -> Result<UUID, NoroshiError> {
        change(key, to: .string(value))
    }

    /// Sets a custom attribute to a Boolean.
    @discardableResult
    public func setCustomAttribute(key: String, value: Bool) -> Result<UUID, NoroshiError> {
        change(key, to: .bool(value))
    }

    /// Sets a custom attribute to a whole number.
    @discardableResult
    public func setCustomAttribute(key: String, value: Int) -> Result<UUID, NoroshiError> {
        change(key, to: .integer(Int64(value)))
    }

    /// Sets a custom attribute to a number.
    @discardableResult
    public func setCustomAttribute(key: String, value: Double) -> Result<UUID, NoroshiError> {
        change(key, to: .number(value))
    }

    /// Sets a custom attribute to a point in time.
    @discardableResult
    public func setCustomAttribute(key: String, value: Date) -> Result<UUID, NoroshiError> {
        change(key, to: .date(value))
    }

    /// Sets a custom attribute to a list of texts.
    @discardableResult
    public func setCustomAttribute(
        key: String,
        array: [String]
    ) -> Result<UUID, NoroshiError> {
        change(key, to: .array(array.map(JSONValue.string)))
    }

    /// Sets a custom attribute to a list of objects.
    @discardableResult
    public func setCustomAttribute(
        key: String,
        array: [[String: Any?]]
    ) -> Result<UUID, NoroshiError> {
        guard let value = JSONValue(any: array) else { return refuseValue(of: key) }
        return change(key, to: value)
    }

    /// Sets a custom attribute to an object, or merges the object into the stored one, member by
    /// member.
    @discardableResult
    public func setCustomAttribute(
        key: String,
        dictionary: [String: Any?],
        merge: Bool = false
    ) -> Result<UUID, NoroshiError> {
        guard let value = JSONValue(any: dictionary) else { return refuseValue(of: key) }
        return change(key, to: value, merge: merge)
    }

    /// Sets a custom attribute to a value of a dynamic collection; an error if it has no JSON form.
    @discardableResult
    public func setCustomAttribute(key: String, anyValue: Any?) -> Result<UUID, NoroshiError> {
        guard let value = JSONValue(any: anyValue) else { return refuseValue(of: key) }
        return change(key, to: value)
    }

    /// Appends a text to a list; a text that is already in the list moves to the end.
    @discardableResult
    public func addToCustomAttributeStringArray(
        key: String,
        value: String
    ) -> Result<UUID, NoroshiError> {
        change(key, to: .string(value)) { ["add": [$0]] }
    }

    /// Removes a text from a list.
    @discardableResult
    public func removeFromCustomAttributeStringArray(
        key: String,
        value: String
    ) -> Result<UUID, NoroshiError> {
        change(key, to: .string(value)) { ["remove": [$0]] }
    }

    /// Adds `number` to a custom attribute that is an integer; a missing one counts as 0.
    @discardableResult
    public func incrementCustomUserAttribute(
        key: String,
        by number: Int = 1
    ) -> Result<UUID, NoroshiError> {
        change(key, to: .integer(Int64(number))) { ["inc": $0] }
    }

    /// Removes a custom attribute.
    @discardableResult
    public func unsetCustomAttribute(key: String) -> Result<UUID, NoroshiError> {
        change(key, to: .null)
    }

    private func change(
        _ key: String,
        to value: JSONValue,
        merge: Bool = false,
        operation: (JSONValue) -> JSONValue = { $0 }
    ) -> Result<UUID, NoroshiError> {
        do throws(NoroshiError) {
            try InputValidator.check(attributeKey: key)
            try InputValidator.check(value: value, field: key)
            try InputValidator.check(
                size: value,
                field: key,
                maximum: InputValidator.objectBytesMaximum
            )
        } catch {
            return recorder.refuse(error)
        }
        return recorder.record(.attributes([key: operation(value)], mergeObjects: merge))
    }

    private func refuseValue(of key: String) -> Result<UUID, NoroshiError> {
        recorder.refuse(InputValidator.invalid(key, "the value has no JSON form"))
    }
}
