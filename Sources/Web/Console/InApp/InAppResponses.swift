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
    func preview(_ visit: Visit) async throws -> Response {
        let form = InAppForm(fields: visit.form)
        let messages = site.services.inApp
        let variant = Int(visit.form["variant"]) ?? 0
        let language = visit.form["v\(variant).shownLanguage"]
        let preview = try await messages.preview(
            form.asTyped(
                changing: messages.blank(in: visit.workspace),
                shownAs: nil,
                visit
            ),
            variant: variant,
            for: form.push.previewUser,
            language: MessageLanguage.isCode(language) ? language : nil
        )
        return try json(
            Preview(
                frame: InAppFrame(preview, number: 0, visit: visit).drawn,
                faults: preview.problems.map {
                    Fault(field: InAppForm.name(of: $0.path), text: visit.words($0.reason))
                }
            )
        )
    }

    func reach(_ visit: Visit) async throws -> Response {
        let form = try await site.withSegmentName(PushForm(fields: visit.form), visit)
        let users: Int?
        do {
            users = try await ConsoleRenderer.namingInApp(visit) {
                try await site.services.inApp.reach(
                    of: site.services.choices.query(form.audience.choice, in: visit.workspace),
                    in: visit.workspace
                )
            }
        } catch let rejected as FormRejected {
            // Nobody can be counted yet; the page shows no count, and saving says what is wrong. A form that
            // somebody is still writing is no failure, which a browser would note for each word.
            return try json(
                ["faults": rejected.faults.map { Fault(field: $0.field, text: $0.text) }]
            )
        }
        return try json(
            Reach(
                text: users.map { visit.words.counted("reach.users", $0) }
                    ?? visit.words("compose.counting")
            )
        )
    }

    private func json(_ value: some Encodable) throws -> Response {
        HTMLResponse.json(try JSONEncoder().encode(value))
    }
}
