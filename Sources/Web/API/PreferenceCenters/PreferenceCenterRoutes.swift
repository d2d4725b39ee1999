import Campaigns
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/preference_center/v1/…`: pages on which users choose which messages they receive.
struct PreferenceCenterRoutes: Sendable {
    private static let path = "/preference_center/v1"
    private static let one = path + "/{preference_center_id}"

    let centers: PreferenceCenterService
    let origin: LinkOrigin

    var endpoints: [RESTEndpoint] {
        [
            .get(
                Self.path + "/list",
                "preference_center.list",
                "Lists the preference centers",
                answers: .success([
                    "preference_centers": Schema.list(of: .object(Self.summary)).required
                ])
            ) { call in
                let all = try await centers.centers(in: call.workspace)
                return try JSONResponse.json([
                    "message": "success",
                    "preference_centers": .array(all.map { .object(Self.summary(of: $0)) }),
                ])
            },
            .on(
                .get,
                Self.one,
                "preference_center.get",
                "Shows a preference center",
                answers: .success(Self.summary.merging(Self.details) { $1 })
            ) { try await show($0) },
            .post(
                Self.path,
                "preference_center.update",
                "Makes a preference center",
                takes: Self.draft([
                    "name": Schema.text(1...PreferenceCenterService.nameLimit).required
                ]),
                answers: .success(Self.changed)
            ) { call in
                let center = try await centers.create(
                    try call.reader().requiredPlainText(
                        "name",
                        1...PreferenceCenterService.nameLimit
                    ),
                    try Self.draft(call.reader()),
                    in: call.workspace
                )
                return try Self.answer(center, .created)
            },
            .on(
                .put,
                Self.one,
                "preference_center.update",
                "Gives a preference center another content; the name stays",
                takes: Self.draft([:]),
                answers: .success(Self.changed)
            ) { call in
                let draft = try Self.draft(call.reader())
                guard
                    let center = try await centers.update(
                        try Self.id(call),
                        to: draft,
                        in: call.workspace
                    )
                else { throw Self.unknown }
                return try Self.answer(center, .ok)
            },
            .on(
                .get,
                Self.one + "/url/{user_id}",
                "preference_center.user.get",
                "Makes the link that leads a user to their own preferences",
                answers: .success(["preference_center_url": Schema.text.required])
            ) { call in
                guard
                    let token = try await centers.token(
                        forUser: .external(call.pathParameter("user_id")),
                        on: try Self.id(call),
                        in: call.workspace
                    )
                else {
                    throw APIError(
                        .notFound,
                        "there is no such user, or no active preference center with this id"
                    )
                }
                return try JSONResponse.json([
                    "message": "success",
                    "preference_center_url": .string(
                        try origin.address(for: call) + PreferencePageRoutes.path + "/" + token
                    ),
                ])
            },
        ]
    }

    // MARK: Schemas

    private static let summary: [String: Schema] = [
        "name": Schema.text.required, "preference_center_api_id": Schema.uuid.required,
        "created_at": Schema.time.required, "updated_at": Schema.time.required,
    ]

    private static let changed: [String: Schema] = [
        "preference_center_api_id": Schema.uuid.required, "created_at": Schema.time.required,
        "updated_at": Schema.time.required,
    ]

    private static let details: [String: Schema] = [
        "preference_center_title": Schema.text.required,
        "preference_center_page_html": Schema.text.required,
        "confirmation_page_html": Schema.text.required,
        "redirect_page_html": Schema(["type": "null"]).required,
        "preference_center_options": Schema.map.required,
        "state": Schema.choice("active", "draft").required,
    ]

    private static func draft(_ more: [String: Schema]) -> Schema {
        let page = Schema.text(1...PreferenceCenterService.pageLimit).required
        let members: [String: Schema] = [
            "preference_center_title": Schema.text(1...PreferenceCenterService.titleLimit).orNull,
            "preference_center_page_html": page.described(
                "A template. Beside what messages have it knows subscribed_state.${email_global} and "
                    + "subscribed_state.${GROUP}, the tag form_field_name with :email_global_state "
                    + "or :subscription_group GROUP, and preference_center_submit_url."
            ),
            "confirmation_page_html": page.described("Shown when a user has chosen."),
            "state": .choice("active", "draft"),
            "options": .object([
                "meta-viewport-content": Schema.text(1...PreferenceCenterService.viewportLimit)
            ]),
        ]
        return .object(members.merging(more) { $1 })
    }

    // MARK: Reading

    private static func draft(
        _ reader: RequestReader
    ) throws -> PreferenceCenterService.Draft {
        var viewport: String?
        if let options = reader.value("options") {
            let options = try RequestReader(options, path: "options")
            if let other = options.fields.subtracting(["meta-viewport-content"]).min() {
                throw options.problem(other, .viewportOnly)
            }
            viewport = try options.plainText(
                "meta-viewport-content",
                1...PreferenceCenterService.viewportLimit
            )
        }
        let text = try reader.string("state") ?? "active"
        guard let state = PreferenceCenter.State(rawValue: text) else {
            throw reader.problem("state", .activeOrDraft)
        }
        let length = 1...PreferenceCenterService.pageLimit
        return PreferenceCenterService.Draft(
            title: try reader.plainText(
                "preference_center_title",
                1...PreferenceCenterService.titleLimit
            ) ?? "Preference Center",
            page: try reader.requiredPlainText("preference_center_page_html", length),
            confirmation: try reader.requiredPlainText("confirmation_page_html", length),
            viewport: viewport,
            state: state
        )
    }

    private static func id(_ call: RESTEndpoint.Call) throws(APIError) -> UUID {
        guard let id = UUID(uuidString: call.pathParameter("preference_center_id")) else {
            throw unknown
        }
        return id
    }

    private static let unknown = APIError(
        .notFound,
        "there is no preference center with this id; /preference_center/v1/list has them"
    )

    // MARK: Answers

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        guard let center = try await centers.center(try Self.id(call), in: call.workspace) else {
            throw Self.unknown
        }
        var answer = Self.summary(of: center)
        answer["message"] = "success"
        answer["preference_center_title"] = .string(center.title)
        answer["preference_center_page_html"] = .string(center.page)
        answer["confirmation_page_html"] = .string(center.confirmation)
        answer["redirect_page_html"] = .null
        answer["preference_center_options"] = .object(
            center.viewport.map { ["meta-viewport-content": .string($0)] } ?? [:]
        )
        answer["state"] = .string(center.state.rawValue)
        return try JSONResponse.json(JSONValue.object(answer))
    }

    private static func summary(of center: PreferenceCenter) -> [String: JSONValue] {
        [
            "name": .string(center.name),
            "preference_center_api_id": .string(center.id.uuidString.lowercased()),
            "created_at": .string(Timestamp.format(center.createdAt)),
            "updated_at": .string(Timestamp.format(center.updatedAt)),
        ]
    }

    private static func answer(
        _ center: PreferenceCenter,
        _ status: HTTPResponse.Status
    ) throws -> Response {
        var answer = summary(of: center)
        answer["name"] = nil
        answer["message"] = "success"
        return try JSONResponse.json(JSONValue.object(answer), status: status)
    }
}
