/// A group of users of an experiment.
package enum ExperimentGroup: Sendable, Hashable {
    /// Gets no message.
    case control
    /// By the number of its text.
    case variant(Int)
}

/// A group with its share and its users' values in one measure.
package struct ExperimentArm: Sendable, Hashable {
    package var group: ExperimentGroup
    /// The part of all users that is drawn for it, relative to the others' shares; above 0.
    package var share: Double
    package var sample: GroupSample

    package init(group: ExperimentGroup, share: Double, sample: GroupSample) {
        self.group = group
        self.share = share
        self.sample = sample
    }
}
