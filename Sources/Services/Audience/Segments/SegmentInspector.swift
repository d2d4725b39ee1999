import Foundation
import Model
import Ports
import Reasons
import Segments

/// Reports which users segments and conditions match now, and why a user does or does not match.
package struct SegmentInspector: Sendable {
    /// Number of matching users shown with a condition.
    private static let sampleSize = 5

    private let segments: SegmentService
    let audience: SegmentationService

    package init(segments: SegmentService, audience: SegmentationService) {
        self.segments = segments
        self.audience = audience
    }

    /// A segment with its size.
    package struct Size: Sendable {
        package var segment: StoredSegment
        /// The text form, with names instead of numbers.
        package var condition: String
        /// `nil` while the users are still being read.
        package var users: Int?
    }

    /// The users who match a condition.
    package struct Finding: Sendable {
        package var rule: SegmentRule
        package var book: WorkspaceSegmentResolver
        package var users: Int
        /// Users with a device that shows pushes and who have not unsubscribed.
        package var reachableUsers: Int
        /// Devices that a push can reach, by platform.
        package var devices: [String: Int]
        package var deviceCount: Int { devices.values.reduce(0, +) }
        /// A few of the users.
        package var sample: [ProfileID]
        /// Since when everything is there that the condition looks at; `nil` if all of it is.
        package var completeSince: Date?
    }

    package func sizes(in workspace: WorkspaceID) async throws -> [Size] {
        let book = try await segments.book(of: workspace)
        var sizes: [Size] = []
        for segment in try await segments.segments(in: workspace) {
            sizes.append(
                Size(
                    segment: segment,
                    condition: try segments.text(of: segment, book: book),
                    users: try await users(in: segment)
                )
            )
        }
        return sizes
    }

    /// `nil` if the number is not available yet.
    private func users(in segment: StoredSegment) async throws -> Int? {
        do {
            let query = SegmentQuery(segments: [segment.id])
            return try await audience.select(query, in: segment.workspace).count().users
        } catch is AudienceError {
            return nil
        }
    }

    /// - Throws: `SegmentError` if the condition is invalid, `AudienceError` if it cannot be
    ///   evaluated.
    package func find(_ condition: String, in workspace: WorkspaceID) async throws -> Finding {
        let (rule, book) = try await read(condition, workspace)
        let selection = try await audience.select(rule, book: book, in: workspace)
        let count = try await audience.count(selection)
        return Finding(
            rule: rule,
            book: book,
            users: count.users,
            reachableUsers: count.reachable,
            devices: count.devices,
            sample: selection.profiles(after: nil, limit: Self.sampleSize).map(ProfileID.init),
            completeSince: try await audience.completeSince(rule, book: book, in: workspace)
        )
    }

    /// The condition with the result of each of its filters for a user; `nil` if the workspace has
    /// no such user.
    ///
    /// - Throws: `SegmentError` if the condition is invalid, `AudienceError` if it cannot be
    ///   evaluated.
    package func explain(
        _ condition: String,
        for user: ProfileID,
        in workspace: WorkspaceID
    ) async throws -> SegmentExplanation? {
        let rule = try await read(condition, workspace).rule
        return try await audience.explain(rule, for: user, in: workspace)
    }

    /// The condition of a segment in the text form.
    package func condition(
        ofSegment name: String,
        in workspace: WorkspaceID
    ) async throws -> String? {
        let book = try await segments.book(of: workspace)
        return book.rule(ofSegment: name).map { SegmentWriter.text(book.named($0)) }
    }

    /// Compares the columns in memory with the rows, and the matches of each segment in both.
    package func compare(in workspace: WorkspaceID) async throws -> SegmentationService.Comparison {
        try await audience.compare(
            segments.segments(in: workspace),
            book: segments.book(of: workspace),
            in: workspace
        )
    }

    private func read(
        _ condition: String,
        _ workspace: WorkspaceID
    ) async throws -> (rule: SegmentRule, book: WorkspaceSegmentResolver) {
        let book = try await segments.book(of: workspace)
        return (try book.rule(text: condition), book)
    }
}
