import Foundation
import Hummingbird
import WebPages

/// What the push pages' scripts fetch: JSON in the member's language, ready to be shown.
struct PushAnswers: Sendable {
    struct Preview: Codable {
        let title: String
        let subtitle: String
        let message: String
        let pairs: [Pair]
        let payloadBytes: Int
        let payloadText: String
        let faults: [Fault]
    }

    struct Pair: Codable {
        let key: String
        let value: String
    }

    struct Fault: Codable {
        let field: String
        let text: String
    }

    struct Reach: Codable {
        let text: String
        let action: String
    }

    struct Test: Codable {
        let text: String
        let isSent: Bool
        /// The page of the test push.
        let address: String?
    }

    struct Choice: Codable {
        let value: String
        let name: String
    }

    let site: ConsoleSite

    func changes(_ visit: Visit) -> Response {
        let services = site.services
        return EventStream.response {
            let changes = await services.pushChanges(for: visit.member)
            return AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
                let work = Task {
                    for await push in changes {
                        let row = PushRow(push, visit: visit)
                        if let event = try? ServerEvent(name: "push", value: row) {
                            continuation.yield(event)
                        }
                    }
                    continuation.finish()
                }
                continuation.onTermination = { _ in work.cancel() }
            }
        }
    }

    /// Draws what has been typed so far; an unfinished form is no reason to show nothing.
    func preview(_ visit: Visit) async throws -> Response {
        let form = PushForm(fields: visit.form)
        let draft = form.asTyped
        let preview = try await site.services.preview(draft, for: visit.member)
        let answer = Preview(
            title: preview.title,
            subtitle: preview.subtitle,
            message: preview.message,
            pairs: preview.pairs.map { Pair(key: $0.key, value: $0.value) },
            payloadBytes: preview.payloadBytes,
            payloadText: visit.words(
                "compose.payload",
                ["bytes": visit.words.number(preview.payloadBytes)]
            ),
            faults: preview.faults.map {
                Fault(field: $0.field.rawValue, text: visit.words.said($0.text))
            }
        )
        return try json(answer)
    }

    func reach(_ visit: Visit) async throws -> Response {
        let form = PushForm(fields: visit.form)
        let reach = try await site.services.reach(of: form.audience, for: visit.member)
        return try json(
            Reach(
                text: reach.text(visit.words),
                action: form.isScheduled
                    ? visit.words("compose.review_schedule") : visit.words("compose.review")
            )
        )
    }

    /// Sends what has been written to the user of the preview, at once.
    func test(_ visit: Visit) async throws -> Response {
        var form = PushForm(fields: visit.form)
        form.audienceKind = .user
        form.user = form.previewUser
        form.isScheduled = false
        do {
            let draft = try form.checked(visit).get()
            let number = try await site.services.send(draft, for: visit.member)
            try await site.record(
                .pushSent,
                "#\(number)",
                detail: visit.words("compose.test_detail", ["user": form.user]),
                visit
            )
            return try json(
                Test(
                    text: visit.words("compose.test_sent", ["user": form.user]),
                    isSent: true,
                    address: ConsolePath.push(number).path
                )
            )
        } catch let rejected as PushDraftRejected {
            let text = rejected.faults.map {
                "\(visit.words($0.field.wordKey)): \(visit.words.said($0.text))"
            }
            return try json(
                Test(text: text.joined(separator: " "), isSent: false, address: nil)
            )
        }
    }

    func userChoices(_ visit: Visit) async throws -> Response {
        let choices = try await site.services.users(
            matching: visit.query["text"],
            limit: 8,
            for: visit.member
        )
        return try json(choices.map { Choice(value: $0.externalID, name: $0.name) })
    }

    private func json(_ value: some Encodable) throws -> Response {
        PageAnswer.json(try JSONEncoder().encode(value))
    }
}

extension AudienceReach {
    func text(_ words: Words) -> String {
        words.counted("reach.users", users) + " · " + words.counted("reach.devices", devices)
    }
}
