import Foundation

/// What became of a change of a catalog's fields or selections; all but the first changed nothing.
package enum CatalogChangeOutcome: Sendable, Hashable {
    case changed
    /// There is no such catalog.
    case noCatalog
    /// There are fields or selections of these names already.
    case known([String])
    /// There are no fields or selections of these names.
    case unknown([String])
    /// There would be more than the limit.
    case full
    /// These selections need the field.
    case needed(by: [String])
}
