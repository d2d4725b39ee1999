import Ports
import Segments

/// The users on whom columns and rows disagree about a segment; both lists are empty if they agree.
package struct VerificationMismatch: Sendable, Hashable {
    /// Users selected by the columns only.
    package var onlyInColumns: [Int64] = []
    /// Users selected by the rows only.
    package var onlyInRows: [Int64] = []

    package var isEmpty: Bool { onlyInColumns.isEmpty && onlyInRows.isEmpty }
}

extension ColumnSnapshot {
    /// Evaluates a segment user by user from rows and compares the result with the columns.
    ///
    /// It reads every row and keeps all occurrences of the activities that the segment names, so it
    /// takes the time and memory of a full scan. The snapshot should contain the same commit as the
    /// columns; a later one may differ by its additions.
    package func verify(
        _ rule: SegmentRule,
        at time: EvaluationTime,
        directory: any SegmentResolver = InMemorySegmentResolver(),
        source: any UserRowReader
    ) async throws -> VerificationMismatch {
        let selected = Set(
            try await select(rule, at: time, directory: directory, source: source).profiles()
        )
        var subjects: Set<ActivityCondition.Subject> = []
        rule.forEachActivity(in: directory) { subjects.insert($0.subject) }
        var events: [Int64: [AudienceEvent]] = [:]
        // Several subjects can match the same occurrence, which must be counted once.
        for (index, subject) in subjects.enumerated() {
            let earlier = subjects.prefix(index)
            let query = AudienceEventQuery(
                subject: subject,
                needsProperties: true,
                includesSums: true
            )
            try await source.scanEvents(query) { batch in
                for event in batch
                where subject.includes(event) && !earlier.contains(where: { $0.includes(event) }) {
                    events[event.profile, default: []].append(event)
                }
            }
        }
        var evaluator = SegmentEvaluator(at: time, directory: directory)
        var disagreement = VerificationMismatch()
        var seen: Set<Int64> = []
        try await source.scanProfiles { profiles in
            for profile in profiles {
                seen.insert(profile.rowID)
                let isIn = try evaluator.contains(
                    profile,
                    events: events[profile.rowID] ?? [],
                    in: rule
                )
                guard isIn != selected.contains(profile.rowID) else { continue }
                if isIn {
                    disagreement.onlyInRows.append(profile.rowID)
                } else {
                    disagreement.onlyInColumns.append(profile.rowID)
                }
            }
        }
        disagreement.onlyInColumns.append(contentsOf: selected.subtracting(seen).sorted())
        return disagreement
    }
}
