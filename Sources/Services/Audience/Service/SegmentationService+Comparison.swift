import Model
import Ports
import Segments

extension SegmentationService {
    /// The result of comparing the columns of a workspace with its rows.
    package struct Comparison: Sendable {
        package var users: Int
        package var differences: [SnapshotDifference]
        /// Each segment with the disagreement of columns and rows; `nil` for a segment that cannot
        /// be read.
        package var segments: [(segment: StoredSegment, disagreement: VerificationMismatch?)]

        package var isEqual: Bool {
            differences.isEmpty && segments.allSatisfy { $0.disagreement?.isEmpty == true }
        }
    }

    /// Rebuilds the columns and compares all of them, and the matches of each segment, with the
    /// rows. It reads every row.
    package func compare(
        _ segments: [StoredSegment],
        book: WorkspaceSegmentResolver,
        in workspace: WorkspaceID
    ) async throws -> Comparison {
        let rows = try await store.audienceView().rows(of: workspace)
        let columns = try await AudienceBuilder.build(from: rows)
        let time = try await time(of: .now, in: workspace)
        var comparison = Comparison(
            users: columns.count,
            differences: try await columns.differences(from: rows),
            segments: []
        )
        for segment in segments {
            var disagreement: VerificationMismatch?
            if let rule = book.rule(ofSegment: "\(segment.id)") {
                disagreement = try await columns.verify(
                    rule,
                    at: time,
                    directory: book,
                    source: rows
                )
            }
            comparison.segments.append((segment, disagreement))
        }
        return comparison
    }
}
