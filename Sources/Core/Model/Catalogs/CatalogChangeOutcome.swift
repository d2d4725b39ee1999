import Foundation

/// The outcome of changing a catalog's fields or selections; every case except the first changed
/// nothing.
package enum CatalogChangeOutcome: Sendable, Hashable {
    case changed
    /// The catalog does not exist.
    case noCatalog
    /// Fields or selections with these names already exist.
    case known([String])
    /// Fields or selections with these names do not exist.
    case unknown([String])
    /// The change would exceed the limit.
    case full
    /// These selections use the field.
    case needed(by: [String])
}
