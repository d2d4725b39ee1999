/// Where one value of a JSON text stands. An object's entry is followed by its keys, each with its
/// value behind it; an array's by its elements.
struct JSONEntry {
    enum Kind: UInt8 {
        case null, yes, no
        /// A number without fraction and exponent.
        case whole
        case fraction
        case string
        /// A string with escapes, which has to be decoded.
        case escapedString
        case array, object
    }

    var kind: Kind
    /// The first byte; of a string the one behind its quote.
    var start: UInt32
    /// The byte behind the last one; of a string its closing quote.
    var end: UInt32
    /// The entry behind this value and everything in it.
    var next: UInt32
}
