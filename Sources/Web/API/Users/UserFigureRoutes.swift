import Foundation
import Hummingbird
import Model
import NoroshiWire
import Users

/// `GET /users/figures`: what one user got and did so far.
struct UserFigureRoutes: Sendable {
    let users: UserService
    let directory: UserDirectory

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/users/figures",
                "users.figures",
                "Counts what a user got and did since the server knows them",
                NamedUser.parameters,
                answers: .success([
                    "first_seen": Schema.time.required
                        .described("When the server first heard of the user."),
                    "sessions": Schema.count.required,
                    "first_session": Schema.time.orNull.required,
                    "last_session": Schema.time.orNull.required,
                    "push": Schema.object([
                        "delivered": Schema.count.required, "received": Schema.count.required,
                        "direct_opens": Schema.count.required,
                        "influenced_opens": Schema.count.required,
                        "total_opens": Schema.count.required, "dismissed": Schema.count.required,
                    ]).required,
                    "in_app_message": Schema.object([
                        "impressions": Schema.count.required, "clicks": Schema.count.required,
                        "button_clicks": Schema.count.required,
                        "dismissals": Schema.count.required,
                    ]).required,
                    "purchase_quantity": Schema.number.required,
                    "revenue": Schema.map.required
                        .described("By currency.").example(["JPY": 1280]),
                    "conversions": Schema.count.required
                        .described("Messages of campaigns with a first conversion event."),
                ])
            ) { try await figures($0) }
        ]
    }

    private func figures(_ call: RESTEndpoint.Call) async throws -> Response {
        let profile = try await NamedUser.profile(call, users)
        let figures = try await directory.figures(of: profile.id, in: call.workspace)
        return try JSONResponse.json(Self.json(figures ?? UserFigures(), of: profile))
    }

    private static func json(_ figures: UserFigures, of profile: Profile) -> JSONValue {
        func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        let (pushes, inApp) = (figures.pushes, figures.inApp)
        return [
            "message": "success", "first_seen": time(profile.createdAt),
            "sessions": count(figures.sessions), "first_session": time(figures.firstSessionAt),
            "last_session": time(figures.lastSessionAt),
            "push": [
                "delivered": count(pushes.delivered), "received": count(pushes.received),
                "direct_opens": count(pushes.directOpens),
                "influenced_opens": count(pushes.influencedOpens),
                "total_opens": count(pushes.opened), "dismissed": count(pushes.dismissed),
            ],
            "in_app_message": [
                "impressions": count(inApp.impressions), "clicks": count(inApp.clicks),
                "button_clicks": count(inApp.allClicks - inApp.clicks),
                "dismissals": count(inApp.dismissals),
            ],
            "purchase_quantity": .number(figures.purchased),
            "revenue": .object(figures.revenue.mapValues(JSONValue.number)),
            "conversions": count(figures.conversions),
        ]
    }
}
