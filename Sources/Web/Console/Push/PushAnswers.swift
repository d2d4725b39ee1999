import Audience
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

    private static let mostTestUsers = 20

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
        let reach: AudienceReach
        do {
            reach = try await site.services.reach(of: form.asTyped, for: visit.member)
        } catch let rejected as PushDraftRejected {
            // Nobody can be counted yet; the page shows no count, and the review says what is wrong.
            return try unfinished(
                rejected.faults.map {
                    Fault(field: $0.field.rawValue, text: visit.words.said($0.text))
                }
            )
        }
        return try json(
            Reach(
                text: reach.text(visit.words),
                action: form.isScheduled
                    ? visit.words("compose.review_schedule") : visit.words("compose.review")
            )
        )
    }

    /// Sends what has been written to the users that are named, or to that of the preview, at once.
    func test(_ visit: Visit) async throws -> Response {
        var form = PushForm(fields: visit.form)
        form.audience.kind = .user
        form.isScheduled = false
        let named = visit.form["testUsers"].split { ",、，;".contains($0) || $0.isNewline }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let users = Array(Set(named).subtracting([""])).sorted()
        guard users.count <= Self.mostTestUsers else {
            let text = visit.words.counted("compose.test_limit", Self.mostTestUsers)
            return try json(Test(text: text, isSent: false, address: nil))
        }
        var sent: [String] = []
        var address: String?
        var faults: [String] = []
        for user in users.isEmpty ? [form.previewUser] : users {
            form.audience.user = user
            do {
                let number = try await site.services.send(
                    try form.checked(visit).get(),
                    for: visit.member
                )
                try await site.record(
                    .pushSent,
                    "#\(number)",
                    detail: visit.words("compose.test_detail", ["user": user]),
                    visit
                )
                sent.append(user)
                address = address ?? ConsolePath.push(number).path
            } catch let rejected as PushDraftRejected {
                faults += rejected.faults.map { fault in
                    // Which user is not there has to be said where there are several.
                    let place = fault.field == .user ? user : visit.words(fault.field.wordKey)
                    return "\(place): \(visit.words.said(fault.text))"
                }
            }
        }
        var texts: [String] = []
        if !sent.isEmpty {
            let names = sent.joined(separator: ", ")
            texts.append(visit.words("compose.test_sent", ["user": names]))
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

    func userChoices(_ visit: Visit) async throws -> Response {
        let choices = try await site.services.users(
            matching: visit.query["text"],
            limit: 8,
            for: visit.member
        )
        return try json(choices.map { Choice(value: $0.externalID, name: $0.name) })
    }

    private func unfinished(_ faults: [Fault]) throws -> Response {
        PageAnswer.json(
            try JSONEncoder().encode(["faults": faults]),
            status: .unprocessableContent
        )
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
