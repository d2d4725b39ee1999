import Foundation
import NoroshiWire

/// A workspace's in-app message: its content, schedule and audience.
package struct InAppMessageDefinition: Sendable, Equatable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Being edited; not delivered to devices.
        case draft
        case active
        /// Paused: devices remove it at their next session. It can be activated again.
        case paused = "stopped"
        /// Ended permanently and hidden from lists.
        case archived
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var state: State
    /// The eligible users; empty means all of them.
    package var audience: SegmentQuery
    /// The content for devices, with Liquid in its texts; its identifier is the lowercase `id`.
    package var message: InAppMessage
    /// Alternative contents for comparison.
    package var experiment: InAppExperiment
    /// What users should do after it was shown; `nil` if nothing is counted.
    package var goal: ConversionEvent?
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        state: State,
        audience: SegmentQuery = SegmentQuery(),
        message: InAppMessage,
        experiment: InAppExperiment = InAppExperiment(),
        goal: ConversionEvent? = nil,
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.state = state
        self.audience = audience
        self.message = message
        self.experiment = experiment
        self.goal = goal
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The contents of the variants, as written.
    package var contents: [InAppMessage] {
        get { [message] + experiment.others }
        set {
            if let first = newValue.first { message = first }
            experiment.others = Array(newValue.dropFirst())
        }
    }

    /// The contents of all variants, each with the rules and the identifier of the first.
    package var variants: [InAppMessage] {
        guard experiment.isRunning else { return [message] }
        return contents.enumerated().map { index, content in
            var content = content
            content.id = message.id
            content.rules = message.rules
            content.variant = String(experiment.number(ofVariantAt: index))
            return content
        }
    }
}
