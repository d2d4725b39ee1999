import Model
import Ports
import Segments

/// Says whom segments and conditions find now, and why somebody is among them or not.
package struct SegmentInspector: Sendable {
    /// Users of a condition that are shown with it.
    private static let sampleSize = 5

    private let segments: SegmentService
    private let audience: AudienceService

    package init(segments: SegmentService, audience: AudienceService) {
        self.segments = segments
        self.audience = audience
    }

    /// A segment with how large it is.
    package struct Size: Sendable {
        package var segment: StoredSegment
        /// The text form, with names in place of numbers.
        package var condition: String
        /// `nil` while the users are still being read.
        package var users: Int?
    }

    /// Whom a condition finds.
    package struct Finding: Sendable {
        package var rule: SegmentRule
        package var book: SegmentBook
        package var users: Int
        /// Users with a device that shows pushes and who have not unsubscribed.
        package var reachableUsers: Int
        /// Devices that a push can reach, by platform.
        package var devices: [String: Int]
        package var deviceCount: Int { devices.values.reduce(0, +) }
        /// A few of the users.
        package var sample: [ProfileID]
    }

    /// Why a condition finds nobody.
    package enum Problem: Error, Sendable {
        /// It cannot be read.
        case text(SegmentProblem)
        /// It cannot be evaluated, for this reason.
        case audience(String)
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

    /// `nil` as long as nobody can say.
    private func users(in segment: StoredSegment) async throws -> Int? {
        do {
            let query = SegmentQuery(segments: [segment.id])
            return try await audience.select(query, in: segment.workspace).count().users
        } catch is AudienceProblem {
            return nil
        }
    }

    /// - Throws: ``Problem``.
    package func find(_ condition: String, in workspace: WorkspaceID) async throws -> Finding {
        let (rule, book) = try await read(condition, workspace)
        do {
            let selection = try await audience.select(rule, book: book, in: workspace)
            let count = try await audience.count(selection)
            return Finding(
                rule: rule,
                book: book,
                users: count.users,
                reachableUsers: count.reachable,
                devices: count.devices,
                sample: selection.profiles(after: nil, limit: Self.sampleSize).map(ProfileID.init)
            )
        } catch let problem as AudienceProblem {
            throw Problem.audience(problem.message)
        }
    }

    /// The condition with what each of its filters found of a user; `nil` when there is no such
    /// user in the workspace.
    ///
    /// - Throws: ``Problem``.
    package func explain(
        _ condition: String,
        for user: ProfileID,
        in workspace: WorkspaceID
    ) async throws -> SegmentExplanation? {
        let rule = try await read(condition, workspace).rule
        do {
            return try await audience.explain(rule, for: user, in: workspace)
        } catch let problem as AudienceProblem {
            throw Problem.audience(problem.message)
        }
    }

    /// The condition of a segment in the text form.
    package func condition(
        ofSegment name: String,
        in workspace: WorkspaceID
    ) async throws -> String? {
        let book = try await segments.book(of: workspace)
        return book.rule(ofSegment: name).map { SegmentWriter.text(book.named($0)) }
    }

    /// Compares the columns in memory with the rows, and what each segment finds in both.
    package func compare(in workspace: WorkspaceID) async throws -> AudienceService.Comparison {
        try await audience.compare(
            segments.segments(in: workspace),
            book: segments.book(of: workspace),
            in: workspace
        )
    }

    private func read(
        _ condition: String,
        _ workspace: WorkspaceID
    ) async throws -> (rule: SegmentRule, book: SegmentBook) {
        let book = try await segments.book(of: workspace)
        do throws(SegmentProblem) {
            return (try book.rule(text: condition), book)
        } catch {
            throw Problem.text(error)
        }
    }
}
