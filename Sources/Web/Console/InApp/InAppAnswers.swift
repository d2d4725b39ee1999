import Foundation
import Hummingbird
import WebPages

/// What the in-app pages' script fetches: JSON in the member's language, ready to be shown.
struct InAppAnswers: Sendable {
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

    let site: ConsoleSite
    let messages: any InAppPages

    /// Draws what has been typed so far; an unfinished form is no reason to show nothing.
    func preview(_ visit: Visit) async throws -> Response {
        let draft = InAppForm(fields: visit.form).asTyped(visit)
        let preview = try await messages.preview(
            draft,
            variant: Int(visit.form["variant"]) ?? 0,
            for: visit.member
        )
        return try json(
            Preview(
                frame: InAppFrame(preview, number: 0, visit: visit).drawn,
                faults: preview.faults.map {
                    Fault(field: $0.field, text: visit.words.said($0.text))
                }
            )
        )
    }

    func reach(_ visit: Visit) async throws -> Response {
        let form = try await site.withSegmentName(PushForm(fields: visit.form), visit)
        let users: Int?
        do {
            users = try await messages.reach(of: form.audience.choice, for: visit.member)
        } catch let rejected as InAppRejected {
            // Nobody can be counted yet; the page shows no count, and saving says what is wrong.
            let faults = rejected.faults.map {
                Fault(field: $0.field, text: visit.words.said($0.text))
            }
            return PageAnswer.json(
                try JSONEncoder().encode(["faults": faults]),
                status: .unprocessableContent
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
        PageAnswer.json(try JSONEncoder().encode(value))
    }
}
