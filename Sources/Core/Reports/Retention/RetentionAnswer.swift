/// Who came back, by cohort and interval.
package struct RetentionAnswer: Sendable, Hashable {
    package struct Cohort: Sendable, Hashable {
        package var interval: ReportInterval
        package var users: Int
        /// Of interval 0, 1, …: who came back; `nil` where it has not begun.
        package var returned: [Int?]
        /// How many of them are over, so that nothing but late reports can change them.
        package var complete: Int

        package init(interval: ReportInterval, users: Int, returned: [Int?], complete: Int) {
            self.interval = interval
            self.users = users
            self.returned = returned
            self.complete = complete
        }
    }

    /// All cohorts together.
    package struct Curve: Sendable, Hashable {
        /// `nil` for everybody.
        package var group: ReportGroup?
        /// Users of all cohorts; who is in two of them is counted twice.
        package var users: Int
        package var returned: [Int]
        /// The users of those cohorts whose interval has begun: what `returned` is a share of.
        package var of: [Int]

        package init(group: ReportGroup?, users: Int, returned: [Int], of: [Int]) {
            self.group = group
            self.users = users
            self.returned = returned
            self.of = of
        }
    }

    package var cohorts: [Cohort]
    package var total: Curve
    /// Without a breakdown none.
    package var groups: [Curve]

    package init(cohorts: [Cohort], total: Curve, groups: [Curve] = []) {
        self.cohorts = cohorts
        self.total = total
        self.groups = groups
    }
}

extension RetentionRule {
    package func answer(
        _ counts: Counts,
        groups: [(ReportGroup, Counts)],
        interval: (Int64) -> ReportInterval
    ) -> RetentionAnswer {
        RetentionAnswer(
            cohorts: starts.enumerated().map { cohort, start in
                RetentionAnswer.Cohort(
                    interval: interval(start),
                    users: counts.sizes[cohort],
                    returned: counts.returned[cohort].enumerated().map {
                        $0 <= begun[cohort] ? $1 : nil
                    },
                    complete: complete[cohort]
                )
            },
            total: curve(of: nil, counts),
            groups: groups.map { curve(of: $0, $1) }
        )
    }

    private func curve(of group: ReportGroup?, _ counts: Counts) -> RetentionAnswer.Curve {
        let intervals = counts.returned.first?.indices ?? 0..<0
        return RetentionAnswer.Curve(
            group: group,
            users: counts.sizes.reduce(0, +),
            returned: intervals.map { interval in
                counts.returned.reduce(0) { $0 + $1[interval] }
            },
            of: intervals.map { interval in
                counts.sizes.indices.reduce(0) {
                    $0 + (interval <= begun[$1] ? counts.sizes[$1] : 0)
                }
            }
        )
    }
}
