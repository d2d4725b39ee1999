import Audience
import Foundation
import Hummingbird
import InAppMessages
import Model
import WebPages

/// The data for the script of the in-app pages: JSON in the member's language, ready for display.
struct InAppResponses: Sendable {
    struct Preview: Codable {
        let frame: InAppFrame.Drawn
        let faults: [Fault]
    }

    struct Fault: Codable {
        let field: String
        let text: String
    }

    struct Reach: Codable {
        let text: String
    }

    let site: ConsoleRenderer

    /// Renders the current input; an unfinished form is still previewed.
    func preview(_ context: ConsoleContext) async throws -> Response {
        let form = InAppForm(fields: context.form)
        let messages = site.services.inApp
        let variant = Int(context.form["variant"]) ?? 0
        let language = context.form["v\(variant).shownLanguage"]
        let preview = try await messages.preview(
            form.asTyped(
                changing: messages.blank(in: context.workspace),
                shownAs: nil,
                context
            ),
            variant: variant,
            for: form.push.previewUser,
            language: MessageLanguage.isCode(language) ? language : nil
        )
        return try json(
            Preview(
                frame: InAppFrame(preview, number: 0, context: context).drawn,
                faults: preview.problems.map {
                    Fault(field: InAppForm.name(of: $0.path), text: context.words($0.reason))
                }
            )
        )
    }

    func reach(_ context: ConsoleContext) async throws -> Response {
        let form = try await site.withSegmentName(PushForm(fields: context.form), context)
        let users: Int?
        do {
            users = try await ConsoleRenderer.namingInApp(context) {
                try await site.services.inApp.reach(
                    of: site.services.choices.query(form.audience.choice, in: context.workspace),
                    in: context.workspace
                )
            }
        } catch let rejected as FormError {
            // Nobody can be counted yet; the page shows no count, and saving says what is wrong. A form that
            // somebody is still writing is no failure, which a browser would note for each word.
            return try json(
                ["faults": rejected.faults.map { Fault(field: $0.field, text: $0.text) }]
            )
        }
        return try json(
            Reach(
                text: users.map { context.words.counted("reach.users", $0) }
                    ?? context.words("compose.counting")
            )
        )
    }

    private func json(_ value: some Encodable) throws -> Response {
        HTMLResponse.json(try JSONEncoder().encode(value))
    }
}
