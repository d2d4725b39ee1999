import Audience
import Foundation
import Hummingbird
import Model
import Reports
import Segments
import WebPages

/// The most frequent values of an attribute, for the field of a condition.
struct AttributeValueRoutes: Sendable {
    private struct Value: Encodable {
        let value: String
        /// The number of users who have it, in words.
        let users: String
    }

    /// A longer text, such as a description, is no value to choose from.
    private static let length = 100

    private let site: ConsoleRenderer

    init(site: ConsoleRenderer) {
        self.site = site
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.attributeValues.path),
            use: ConsoleAuthenticator(site: site).member { context, _ in
                HTMLResponse.json(try JSONEncoder().encode(try await values(context)))
            }
        )
    }

    /// Empty for an attribute whose values the audience does not keep, and until it has been read.
    private func values(_ context: ConsoleContext) async throws -> [Value] {
        let name = context.query.trimmed("attribute")
        let attribute: AttributeReference? =
            if ConditionForm.standardAttributes.contains(name) {
                StandardAttribute(rawValue: name).map(AttributeReference.standard)
            } else {
                AttributePath(name).map(AttributeReference.custom)
            }
        guard let attribute else { return [] }
        let question = CompositionQuestion(
            breakdown: ReportBreakdown(.attribute(attribute), limit: ReportLimits.values.upperBound)
        )
        do {
            let answer = try await site.services.activityReports.composition(
                question,
                in: context.workspace
            )
            return answer.groups.compactMap { group in
                guard case .value(let text) = group.group, text.count <= Self.length else {
                    return nil
                }
                return Value(value: text, users: context.words.counted("reach.users", group.users))
            }
        } catch let problem as AudienceError where problem.code == .notReady {
            return []
        } catch let problem as FieldProblem
            where problem == FieldProblem("breakdown.name", .unkeptAttribute)
        {
            return []
        }
    }
}
