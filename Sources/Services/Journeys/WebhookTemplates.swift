import Campaigns
import Foundation
import Liquid
import Model
import Reasons

/// A webhook with parsed texts.
struct WebhookTemplates: Sendable {
    let webhook: JourneyWebhook
    let texts: MessageTexts<FieldPath.Step>

    /// - Throws: Each field that cannot be parsed, with line and column.
    init(parsing webhook: JourneyWebhook, ofStep index: Int) throws(ValidationError) {
        var problems: [FieldProblem] = []
        var texts: [(place: FieldPath.Step, template: Template)] = []
        let headers = webhook.headers.sorted { $0.key < $1.key }.map {
            (FieldPath.Step.header($0.key), $0.value)
        }
        for (place, source) in [(.url, webhook.url), (.body, webhook.body)] + headers
        where source.contains("{{") || source.contains("{%") {
            do {
                texts.append((place, try Template(parsing: source, name: nil, mode: .strict)))
            } catch {
                problems.append(FieldProblem(.journey(.step(index, place)), error.whole))
            }
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        self.webhook = webhook
        self.texts = MessageTexts(texts)
    }
}
