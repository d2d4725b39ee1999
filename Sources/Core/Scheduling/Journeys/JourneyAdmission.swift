import Foundation
import Model

/// Decides whether somebody may enter a journey.
package enum JourneyAdmission {
    /// - Parameter last: The person's last entry, inside or ended.
    /// - Throws: `MissingFactError`.
    package static func admits(
        into definition: JourneyDefinition,
        last: JourneyEntry?,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> Bool {
        if let last {
            guard last.end != nil, definition.reentry != .never else { return false }
            guard let zone = facts.zone else { throw .zone }
            guard
                definition.reentry.allows(messageAt: facts.now, last: last.enteredAt, in: zone)
            else { return false }
        }
        guard let audience = definition.audience else { return true }
        guard let isMember = facts.isMember(audience) else { throw .membership(audience) }
        return isMember
    }
}
