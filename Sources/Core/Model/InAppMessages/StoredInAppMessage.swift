import Foundation
import NoroshiWire

/// An in-app message as a workspace keeps it: what devices show, when, and to whom.
package struct StoredInAppMessage: Sendable, Equatable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Being written; no device gets it.
        case draft
        case active
        /// Held back: devices drop it at their next session. It can be made active again.
        case paused = "stopped"
        /// Over for good, and out of the way in lists.
        case archived
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var state: State
    /// Who is eligible; everybody when it is empty.
    package var audience: SegmentQuery
    /// What devices show, with Liquid in its texts; the identifier in it is the lower-case `id`.
    package var message: InAppMessage
    /// Other contents to compare with it.
    package var experiment: InAppExperiment
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
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// What the variants say, as it is written.
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
