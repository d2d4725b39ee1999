import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Users

/// `/email/…`: subscriptions to e-mail. This server sends no e-mail, so there are no bounces.
struct EmailSubscriptionRoutes: Sendable {
    private static let pageLimit = 500
    private static let pageLength = 100

    let users: UserService
    let subscriptions: SubscriptionGroupService
    let ingestion: IngestionService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let limit = SharedSchemas.identifierLimit
        let period =
            RESTEndpoint.Parameter.oneOf([
                .init(name: "start_date", schema: .time), .init(name: "email"),
            ]) + [
                .init(name: "end_date", schema: .time),
                .init(name: "limit", schema: .integer(1...Self.pageLimit)),
                .init(name: "offset", schema: .count),
            ]
        return [
            .post(
                "/email/status",
                "email.status",
                "Sets whether the users of an e-mail address want e-mail",
                takes: .object([
                    "email": Schema.either(.text, .list(of: .text, limit: limit)).required,
                    "subscription_state": Schema("SubscriptionState").required,
                ])
            ) { try await setStatus($0) },
            .get(
                "/email/unsubscribes",
                "email.unsubscribe",
                "Lists the e-mail addresses whose users have unsubscribed",
                period + [.init(name: "sort_direction", schema: .choice("asc", "desc"))],
                limit: .export,
                answers: .success([
                    "emails": Schema.list(
                        of: .object([
                            "email": .text.required, "unsubscribed_at": Schema.time.required,
                        ])
                    ).required
                ])
            ) { try await unsubscribes($0) },
            .get(
                "/email/hard_bounces",
                "email.hard_bounces",
                "Lists bounced e-mail addresses: none, because this server sends no e-mail",
                period,
                answers: .success(["emails": Schema.list(of: .map).required])
            ) { call in
                _ = try Self.period(try call.reader(), now: now())
                return try JSONResponse.json(["message": "success", "emails": []])
            },
        ]
    }

    private func setStatus(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let addresses = try reader.oneOrMore("email", limit: SharedSchemas.identifierLimit)
        guard !addresses.isEmpty else { throw reader.problem("email", .required) }
        let state = try reader.requiredString("subscription_state")
        guard SubscriptionState(rawValue: state) != nil else {
            throw reader.problem("subscription_state", .emailState)
        }
        var items: [IngestItem] = []
        for address in addresses {
            for user in try await users.users(.email(address), in: call.workspace) {
                items.append(
                    IngestItem(
                        recordID: nil,
                        user: .profile(user.publicID),
                        updatesExistingOnly: true,
                        time: now(),
                        content: .attributes(
                            AttributeChanges([
                                StandardAttribute.emailSubscription.rawValue: .string(state)
                            ])
                        )
                    )
                )
            }
        }
        _ = try await submit(
            IngestRequest(workspace: call.workspace, source: .api, items: items),
            to: ingestion
        )
        return try JSONResponse.json(["message": "success"], status: .created)
    }

    private func unsubscribes(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var query = try Self.period(reader, now: now())
        let order = try reader.string("sort_direction") ?? "desc"
        guard ["asc", "desc"].contains(order) else {
            throw reader.problem("sort_direction", .ascOrDesc)
        }
        query.isNewestFirst = order == "desc"
        let found = try await subscriptions.emailUnsubscribes(in: call.workspace, matching: query)
        return try JSONResponse.json([
            "message": "success",
            "emails": .array(
                found.map {
                    [
                        "email": .string($0.email),
                        "unsubscribed_at": .string(Timestamp.format($0.time)),
                    ]
                }
            ),
        ])
    }

    /// Dates mean midnight in UTC; the end date is included.
    private static func period(
        _ reader: RequestReader,
        now: Date
    ) throws(FieldProblem) -> UnsubscribeQuery {
        let email = try reader.string("email")
        let start = try reader.time("start_date")
        guard start != nil || email != nil else {
            throw reader.problem("start_date", .startRequired)
        }
        var end = now.addingTimeInterval(1)
        if let given = try reader.time("end_date") {
            let isDay = try reader.string("end_date")?.utf8.count == 10
            end = given.addingTimeInterval(isDay ? 86_400 : 0)
        }
        let from = start ?? Date(timeIntervalSince1970: 0)
        guard from <= end else { throw reader.problem("start_date", .afterEnd) }
        return UnsubscribeQuery(
            from: from,
            until: end,
            email: email,
            isNewestFirst: true,
            limit: try reader.wholeNumber("limit", 1...pageLimit) ?? pageLength,
            offset: try reader.wholeNumber("offset", 0...Int(Int32.max)) ?? 0
        )
    }
}
