/// How many users got how far.
package struct FunnelAnswer: Sendable, Hashable {
    package struct Step: Sendable, Hashable {
        /// Who reached this step.
        package var users: Int
        /// Between the step before and this one, in seconds, of those who reached it; `nil` of the
        /// first step and of one that nobody reached.
        package var averageSeconds: Double?
        /// Of an even number of users the lesser of the two in the middle.
        package var medianSeconds: Int64?

        package init(users: Int, averageSeconds: Double? = nil, medianSeconds: Int64? = nil) {
            self.users = users
            self.averageSeconds = averageSeconds
            self.medianSeconds = medianSeconds
        }
    }

    package struct Group: Sendable, Hashable {
        package var group: ReportGroup
        /// Who reached each step.
        package var users: [Int]

        package init(_ group: ReportGroup, users: [Int]) {
            self.group = group
            self.users = users
        }
    }

    package var steps: [Step]
    /// Without a breakdown none.
    package var groups: [Group]

    package init(steps: [Step], groups: [Group] = []) {
        self.steps = steps
        self.groups = groups
    }
}
