/// The location of one value in a JSON text. An object's entry is followed by its keys, each with
/// its value after it; an array's by its elements.
struct JSONEntry {
    enum Kind: UInt8 {
        case null, yes, no
        /// A number without a fraction or exponent.
        case whole
        case fraction
        case string
        /// A string with escapes that must be decoded.
        case escapedString
        case array, object
    }

    var kind: Kind
    /// The offset of the first byte; for a string, of the byte after the opening quote.
    var start: UInt32
    /// The offset after the last byte; for a string, of its closing quote.
    var end: UInt32
    /// The index of the entry after this value and everything in it.
    var next: UInt32
}
