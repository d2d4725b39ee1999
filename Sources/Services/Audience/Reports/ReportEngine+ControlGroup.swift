import Experiments
import Reports
import Segments

extension ReportEngine {
    /// What users of one group did: how often they did it at all, and what they paid.
    struct GroupTally: Sendable {
        var users = 0
        var active = 0
        /// In millionths, whole ones, so that sums are exact.
        var revenueMicros = 0.0
        var squaredRevenue = 0.0

        var revenue: Double { revenueMicros / 1_000_000 }

        mutating func add(_ other: Self) {
            users += other.users
            active += other.active
            revenueMicros += other.revenueMicros
            squaredRevenue += other.squaredRevenue
        }
    }

    /// Everybody in the report, and the members of the control group among them.
    ///
    /// Users count from the moment at which the server first heard of them, if that is before the end
    /// of the period.
    func controlGroup(
        _ question: ControlGroupQuestion,
        contains: @escaping @Sendable (Int64) -> Bool
    ) async throws -> (control: GroupTally, others: GroupTally) {
        let boundaries = try question.period.boundaries()
        let range = boundaries[0]..<boundaries[boundaries.count - 1]
        // Who did it at all is the same in whatever currency they paid.
        let all = try await OccurrenceSource(self, in: range, [(question.activity, .init())])
        let payments: OccurrenceSource? =
            if let currency = question.currency {
                try await OccurrenceSource(
                    self,
                    in: range,
                    [(question.activity, .init(currency: currency))]
                )
            } else { nil }
        let created = columns.number(of: .createdAt)
        // Added up in the order of the chunks, so that sums are the same each time.
        let parts = try await forEachChunk { number in
            let chunk = columns.chunks[number]
            var isActive = [Bool](repeating: false, count: chunk.count)
            var paid = [Double](repeating: 0, count: chunk.count)
            all.forEach(inChunk: number) { isActive[Int($0.row)] = true }
            payments?.forEach(inChunk: number) { paid[Int($0.row)] += $0.amount }
            let times = created.flatMap {
                $0 < chunk.attributes.count ? chunk.attributes[$0].times : nil
            }
            var tallies = [GroupTally(), GroupTally()]
            for row in 0..<chunk.count where !chunk.removed.contains(row) {
                if let selected, !selected[number].contains(row) { continue }
                guard let time = times?.value(at: row), time < range.upperBound else { continue }
                let group = contains(chunk.ids.id(at: row)) ? 0 : 1
                tallies[group].users += 1
                guard isActive[row] else { continue }
                let amount = paid[row] / 1_000_000
                tallies[group].active += 1
                tallies[group].revenueMicros += paid[row]
                tallies[group].squaredRevenue += amount * amount
            }
            return tallies
        }
        return parts.reduce(into: (control: GroupTally(), others: GroupTally())) { total, part in
            total.control.add(part[0])
            total.others.add(part[1])
        }
    }
}
