import Foundation

/// The step of a journey that a message is from.
package struct JourneyOrigin: Sendable, Hashable, Codable {
    package var journey: JourneyID
    package var step: JourneyStepID
    package var version: Int

    package init(journey: JourneyID, step: JourneyStepID, version: Int) {
        self.journey = journey
        self.step = step
        self.version = version
    }
}
