import Audience
import Model
import Reports
import Segments
import WebPages

/// Who is in a segment: bars for the most frequent values of what is known of most users.
struct SegmentUsersPart {
    struct Bar {
        let name: String
        let users: String
        let share: String
        /// Of all in the segment, from 0 to 100.
        let percent: Int
    }

    struct Breakdown {
        let name: String
        let bars: [Bar]
    }

    private static let shown = 5
    private static let traits: [(trait: ReportBreakdown.Trait, wordKey: String)] = [
        (.platform, "reports.by.platform"), (.attribute(.standard(.country)), "reports.by.country"),
        (.attribute(.standard(.language)), "reports.by.language"), (.app, "reports.by.app"),
    ]

    let breakdowns: [Breakdown]
    let isEmpty: Bool
    /// Why nothing can be shown now.
    let problem: String?

    init(_ segment: StoredSegment, site: ConsoleRenderer, context: ConsoleContext) async throws {
        let words = context.words
        var breakdowns: [Breakdown] = []
        var problem: String?
        do {
            for (trait, wordKey) in Self.traits {
                let answer = try await site.services.activityReports.composition(
                    CompositionQuestion(
                        audience: SegmentQuery(segments: [segment.id]),
                        breakdown: ReportBreakdown(trait, limit: Self.shown)
                    ),
                    in: context.workspace
                )
                guard answer.users > 0 else { break }
                breakdowns.append(
                    Breakdown(
                        name: words(wordKey),
                        bars: answer.groups.map { Self.bar($0, of: answer.users, words) }
                    )
                )
            }
        } catch let found as AudienceError {
            problem = ReportDesk.text(found, words)
        } catch let found as FieldProblem {
            problem = words(found.reason)
        }
        self.breakdowns = breakdowns
        self.problem = problem
        isEmpty = breakdowns.isEmpty && problem == nil
    }

    private static func bar(
        _ group: CompositionAnswer.Group,
        of whole: Int,
        _ words: Words
    ) -> Bar {
        Bar(
            name: ReportFields.label(group.group, [], words),
            users: words.number(group.users),
            share: words.percent(group.users, of: whole),
            percent: Int((Double(group.users) / Double(whole) * 100).rounded())
        )
    }
}
