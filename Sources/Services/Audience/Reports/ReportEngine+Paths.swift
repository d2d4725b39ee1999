import Reports
import Segments

extension ReportEngine {
    /// Something that can be a step.
    private struct PossibleStep {
        var row: UInt16
        var occurrence: PathsRule.Occurrence
    }

    package func paths(_ question: PathsQuestion) async throws -> PathsAnswer {
        try question.check()
        let boundaries = try question.period.boundaries()
        let period = boundaries[0]..<boundaries[boundaries.count - 1]
        let rule = PathsRule(question, period: period)
        let starts = try await OccurrenceSource(
            self,
            in: period,
            [(question.start, OccurrenceSource.Needs())]
        )
        let kinds = kinds(and: PathKind(question.start))
        let start = UInt32(kinds.firstIndex(of: PathKind(question.start)) ?? 0)
        let steps = kinds.indices.filter { !question.leavesOut(kinds[$0]) }
            .map { (kind: UInt32($0), activity: columns.activities[kinds[$0].activity]) }
        let counts = try await sum([PathSteps: Int]()) { chunk in
            Self.counts(
                rule,
                columns.chunks[chunk],
                starts: starts.tables(ofChunk: chunk)[0],
                kind: start,
                steps: steps
            )
        } adding: {
            $0.merge($1, uniquingKeysWith: +)
        }
        return PathsAnswer(question, counts: counts, kinds: kinds)
    }

    /// Everything that users do, in the order of kinds.
    private func kinds(and start: PathKind) -> [PathKind] {
        var kinds: Set<PathKind> = [start]
        for activity in columns.activities.keys {
            switch activity {
            case .event(let name): kinds.insert(.event(name))
            case .purchase: kinds.insert(.purchase)
            case .session: kinds.insert(.session)
            case .message: break
            }
        }
        return kinds.sorted()
    }

    private static func counts(
        _ rule: PathsRule,
        _ chunk: AudienceChunk,
        starts table: OccurrenceTable,
        kind start: UInt32,
        steps: [(kind: UInt32, activity: Int?)]
    ) -> [PathSteps: Int] {
        let starts = (0..<chunk.count).map { row in
            table.isEmpty(row) ? nil : rule.start(in: table.times(of: row))
        }
        let range = rule.range
        let window = ActivityWindow(from: range.lowerBound, until: range.upperBound)
        var found: [PossibleStep] = []
        for (kind, activity) in steps {
            guard let activity, activity < chunk.series.count else { continue }
            chunk.series[activity].forEachTime(in: window) { row, time in
                guard let begun = starts[row] else { return }
                let occurrence = PathsRule.Occurrence(time: time, kind: kind)
                guard rule.isStep(occurrence, from: begun, kind: start) else { return }
                found.append(PossibleStep(row: UInt16(row), occurrence: occurrence))
            }
        }
        // Users one after the other.
        found.sort { $0.row < $1.row }
        var ofUser = found.map(\.occurrence)
        var counts: [PathSteps: Int] = [:]
        var place = 0
        for (row, begun) in starts.enumerated() where begun != nil {
            let first = place
            while place < found.count, Int(found[place].row) == row { place += 1 }
            counts[rule.path(&ofUser[first..<place], from: start), default: 0] += 1
        }
        return withExtendedLifetime(table) { counts }
    }
}

extension PathKind {
    fileprivate var activity: Activity {
        switch self {
        case .session: .session
        case .event(let name): .event(name)
        case .purchase: .purchase
        }
    }
}
