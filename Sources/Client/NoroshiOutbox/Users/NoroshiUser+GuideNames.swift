import Foundation
import NoroshiWire

/// Aliases of these methods in older code.
extension NoroshiUser {
    /// The e-mail address last set through this installation; setting it is `set(email:)`.
    public var email: String? {
        get { recorder.state?.profileFields["email"]?.stringValue }
        nonmutating set { set(email: newValue) }
    }

    /// `setCustomAttribute(key:value:)` for a value of a dynamic collection.
    @discardableResult
    public func setCustomAttributeWithKey(
        _ key: String,
        andValue value: Any
    ) -> Result<UUID, NoroshiError> {
        setCustomAttribute(key: key, anyValue: value)
    }

    /// `setCustomAttribute(key:value:)` for a text.
    @discardableResult
    public func setCustomAttributeWithKey(
        _ key: String,
        andStringValue value: String
    ) -> Result<UUID, NoroshiError> {
        setCustomAttribute(key: key, value: value)
    }

    /// `setCustomAttribute(key:array:)`.
    @discardableResult
    public func setCustomAttributeArrayWithKey(
        _ key: String,
        andValue value: [String]
    ) -> Result<UUID, NoroshiError> {
        setCustomAttribute(key: key, array: value)
    }
}
