import Model
import Ports

/// What delivery has in its hands at a moment.
package struct DeliveryLoad: Sendable {
    /// Pushes that are claimed and whose outcome is not stored.
    package var claimed = 0
    /// Pushes that were handed to a provider, by lane.
    package var inFlight: [DeliveryLane: Int] = [:]
    package var inFlightBytes = 0
    /// Outcomes that wait to be stored.
    package var unrecorded = 0
    /// The lanes that had an answer, and whether their pushes wait at the moment.
    package var lanes: [DeliveryLane: Bool] = [:]
}
