/// A string that is well-formed JSON but not valid text: it contains U+0000, at which C and SQLite
/// end a text, so that two names would become equal; or half of a surrogate pair, which has no
/// UTF-8.
struct JSONFlaw: Sendable, Hashable {
    enum Kind: Sendable {
        case null, surrogate
    }

    var kind: Kind
    /// The entry of the string or key.
    var entry: Int

    var code: JSONReason {
        switch kind {
        case .null: .nullCharacter
        case .surrogate: .halfSurrogate
        }
    }
}
