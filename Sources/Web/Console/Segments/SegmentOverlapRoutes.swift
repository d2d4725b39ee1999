import Audience
import Foundation
import Hummingbird
import Model
import WebPages

/// The page that compares two segments.
struct SegmentOverlapRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.segmentOverlap.path),
            use: gate.member { context, _ in try await page(context) }
        )
    }

    private func page(_ context: ConsoleContext) async throws -> Response {
        let segments = try await site.services.segments.segments(in: context.workspace)
        func chosen(_ field: String, usually index: Int) -> StoredSegment? {
            segments.first { "\($0.id)" == context.query[field] }
                ?? (segments.indices.contains(index) ? segments[index] : nil)
        }
        let first = chosen("first", usually: 0)
        let second = chosen("second", usually: 1)
        var overlap: SegmentInspector.Overlap?
        var problem: String?
        if let first, let second {
            do {
                overlap = try await site.services.inspector.overlap(of: first, with: second)
            } catch let found as AudienceError {
                problem = ReportDesk.text(found, context.words)
            }
        }
        return try site.page(
            "segment-overlap",
            SegmentOverlapPage(
                segments,
                first: first,
                second: second,
                overlap: overlap,
                problem: problem,
                context: context
            ),
            title: context.words("segments.overlap"),
            place: .segments,
            context: context
        )
    }
}
