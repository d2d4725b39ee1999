import Model
import Segments

extension SegmentInspector {
    /// How many users two segments have, and have in common, at one moment.
    package struct Overlap: Sendable, Hashable {
        package var first: Int
        package var second: Int
        package var both: Int

        package init(first: Int, second: Int, both: Int) {
            self.first = first
            self.second = second
            self.both = both
        }

        package var firstOnly: Int { first - both }
        package var secondOnly: Int { second - both }
        package var either: Int { first + second - both }
    }

    /// - Throws: `AudienceError` if one of them cannot be evaluated.
    package func overlap(
        of first: StoredSegment,
        with second: StoredSegment
    ) async throws -> Overlap {
        let audience = audience
        // One snapshot of the columns for all three.
        let columns = try await audience.columns(of: first.workspace)
        let time = try await audience.time(of: .now, in: first.workspace)
        func users(_ segments: [SegmentID]) async throws -> Int {
            let (rule, book) = try await audience.rule(
                of: SegmentQuery(segments: segments),
                in: first.workspace
            )
            return try await columns.select(
                rule,
                at: time,
                directory: book,
                source: LazyRowSource(store: audience.store, workspace: first.workspace),
                workers: audience.settings.workers
            ).count().users
        }
        return Overlap(
            first: try await users([first.id]),
            second: try await users([second.id]),
            both: try await users([first.id, second.id])
        )
    }
}
