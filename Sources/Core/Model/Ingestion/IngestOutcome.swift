import Foundation
import NoroshiWire

/// The outcome of one item.
package enum IngestOutcome: Sendable, Hashable {
    /// Stored, except for the named attributes.
    case stored(except: [AttributeProblem])
    /// Already stored under the same record id.
    case duplicate
    /// Will never be stored.
    case rejected(field: String, message: String)
}
