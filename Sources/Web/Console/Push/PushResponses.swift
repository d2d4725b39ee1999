import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Sends
import WebPages

/// The data for the scripts of the push pages: JSON in the member's language, ready for display.
struct PushResponses: Sendable {
    struct Preview: Codable {
        let title: String
        let subtitle: String
        let message: String
        let pairs: [Pair]
        let story: [Page]
        let payloadBytes: Int
        let payloadText: String
        /// What the user lacks.
        let missing: String?
        let faults: [Fault]
    }

    struct Pair: Codable {
        let key: String
        let value: String
    }

    struct Page: Codable {
        let image: String
        let title: String
        let subtitle: String
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

    private static let maxTestUsers = 20
    private static let maxChoices = 8

    let site: ConsoleRenderer

    func changes(_ context: ConsoleContext) -> Response {
        let sends = site.services.sends
        return EventStream.response {
            let changes = sends.changes(in: context.workspace)
            return AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
                let work = Task {
                    for await push in changes {
                        let row = PushRow(push, context: context)
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

    /// Renders the current input; an unfinished form is still previewed.
    func preview(_ context: ConsoleContext) async throws -> Response {
        let form = PushForm(fields: context.form)
        let preview = try await site.services.review.preview(
            of: site.message(of: form, context).content,
            for: form.previewUser,
            language: MessageLanguage.isCode(context.form["shownLanguage"])
                ? context.form["shownLanguage"] : nil,
            in: context.workspace
        )
        let message = preview.message
        let answer = Preview(
            title: message.title,
            subtitle: message.subtitle,
            message: message.body,
            pairs: message.keyValuePairs.sorted { $0.key < $1.key }
                .map { Pair(key: $0.key, value: $0.value) },
            story: (message.story ?? []).map {
                Page(image: $0.image, title: $0.title, subtitle: $0.subtitle)
            },
            payloadBytes: preview.bytes,
            payloadText: context.words(
                "compose.payload",
                ["bytes": context.words.number(preview.bytes)]
            ),
            missing: missing(preview, context),
            faults: preview.problems.map {
                Fault(field: PushForm.name(of: $0.path), text: context.words($0.reason))
            }
        )
        return try json(answer)
    }

    func reach(_ context: ConsoleContext) async throws -> Response {
        let form = PushForm(fields: context.form)
        let reach: AudienceReach
        do {
            reach = try await self.reach(of: form, context)
        } catch let rejected as FormError {
            // No number is available yet; the page shows none, and the review reports the errors. A form that
            // somebody is still writing is no failure, which a browser would note for each word.
            return try json(
                ["faults": rejected.faults.map { Fault(field: $0.field, text: $0.text) }]
            )
        }
        return try json(
            Reach(
                text: reach.text(context.words),
                action: form.isScheduled
                    ? context.words("compose.review_schedule") : context.words("compose.review")
            )
        )
    }

    /// - Throws: ``FormError``.
    private func reach(of form: PushForm, _ context: ConsoleContext) async throws -> AudienceReach {
        var (content, hasAudience) = try await site.message(of: form, context)
        return try await ConsoleRenderer.naming(context) {
            if !hasAudience {
                do {
                    content.audience = try await site.services.choices.audience(
                        form.audience.choice,
                        in: context.workspace
                    )
                } catch let error as ValidationError
                    where error.problems.map(\.path) == [.audience(.user)]
                {
                    return AudienceReach(users: 0, devices: 0)
                }
            }
            return try await site.services.review.reach(of: content, in: context.workspace)
        }
    }

    /// Sends the current message immediately to the named users, or to the user of the preview.
    func test(_ context: ConsoleContext) async throws -> Response {
        var form = PushForm(fields: context.form)
        form.audience.kind = .user
        form.isScheduled = false
        let named = context.form["testUsers"].split { ",、，;".contains($0) || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let users = Array(Set(named).subtracting([""])).sorted()
        guard users.count <= Self.maxTestUsers else {
            let text = context.words.counted("compose.test_limit", Self.maxTestUsers)
            return try json(Test(text: text, isSent: false, address: nil))
        }
        var sent: [String] = []
        var address: String?
        var faults: [String] = []
        for user in users.isEmpty ? [form.previewUser] : users {
            form.audience.user = user
            do {
                try form.checked(context)
                let content = try await site.content(of: form, context)
                let send = try await ConsoleRenderer.naming(context) {
                    try await site.services.composer.test(
                        content,
                        by: context.actor,
                        detail: context.words("compose.test_detail", ["user": user])
                    )
                }
                sent.append(user)
                address = address ?? ConsolePath.push(send.id.rawValue).path
            } catch let rejected as FormError {
                faults += rejected.faults.map { fault in
                    // With several users, the error must name the one who does not exist.
                    let field = PushField(rawValue: fault.field) ?? .message
                    let place = field == .user ? user : context.words(field.wordKey)
                    return "\(place): \(fault.text)"
                }
            }
        }
        var texts: [String] = []
        if !sent.isEmpty {
            let names = sent.joined(separator: ", ")
            texts.append(context.words("compose.test_sent", ["user": names]))
        }
        for fault in faults where !texts.contains(fault) { texts.append(fault) }
        return try json(
            Test(
                text: texts.joined(separator: " "),
                isSent: faults.isEmpty,
                address: faults.isEmpty ? address : nil
            )
        )
    }

    func userChoices(_ context: ConsoleContext) async throws -> Response {
        let users = try await site.services.choices.users(
            matching: context.query["text"],
            limit: Self.maxChoices,
            in: context.workspace
        )
        return try json(
            users.map { user in
                Choice(value: user.externalID ?? "", name: user.fullName)
            }
        )
    }

    private func json(_ value: some Encodable) throws -> Response {
        HTMLResponse.json(try JSONEncoder().encode(value))
    }
}

extension AudienceReach {
    func text(_ words: Words) -> String {
        words.counted("reach.users", users) + " · " + words.counted("reach.devices", devices)
    }
}
