import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Users

/// Lets the recipients of a request into a journey.
struct JourneyEntrance {
    let journeys: JourneyService
    let users: UserService
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - properties: The field of what users bring along, for all and for each of them.
    ///   - other: Another name of that field.
    ///   - members: Further users.
    ///   - moment: When they enter; `nil` means at once.
    func letIn(
        _ call: RESTEndpoint.Call,
        into journey: Journey,
        properties field: String,
        alsoNamed other: String? = nil,
        members: [ProfileID] = [],
        at moment: Date? = nil,
        operation: String
    ) async throws -> Response {
        var common = try call.reader().object(field)
        if let other { common.merge(try call.reader().object(other)) { first, _ in first } }
        let recipients = try await RecipientsReader(users: users, now: now, properties: field)
            .recipients(call)
            .map { recipient in
                var recipient = recipient
                recipient.properties.trigger.merge(common) { own, _ in own }
                return recipient
            }
        let all = MessageProperties(trigger: common)
        let answer = try await journeys.enter(
            recipients,
            and: Dictionary(uniqueKeysWithValues: members.map { ($0, all) }),
            into: journey,
            key: try IdempotencyKeyReader(call: call).key(of: operation, now: now()),
            at: moment,
            by: .key(call.key)
        )
        var body: [String: JSONValue] = [
            "message": "success", "users": JourneyAnswer.number(answer.users),
        ]
        if let schedule = answer.schedule {
            body["schedule_id"] = JourneyAnswer.text(schedule)
        }
        let errors = RecipientsReader.errors(recipients, answer.outcomes)
        if !errors.isEmpty { body["errors"] = .array(errors) }
        return try JSONResponse.json(JSONValue.object(body), status: .created)
    }
}
