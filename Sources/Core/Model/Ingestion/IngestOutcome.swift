import Foundation
import NoroshiWire

/// The outcome of one item.
package enum IngestOutcome: Sendable, Hashable {
    /// Stored, but for the attributes that are named.
    case stored(except: [FieldProblem])
    /// Was stored before under the same record id.
    case duplicate
    /// Will never be stored.
    case rejected(FieldProblem)
}
