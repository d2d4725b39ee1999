import Foundation
import NoroshiWire

/// What became of one item.
package enum IngestOutcome: Sendable, Hashable {
    /// Stored, but for the attributes that are named.
    case stored(except: [AttributeProblem])
    /// Was stored before under the same record id.
    case duplicate
    /// Will never be stored.
    case rejected(field: String, message: String)
}
