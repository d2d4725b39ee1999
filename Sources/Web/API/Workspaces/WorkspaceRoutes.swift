import Accounts
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/workspace/…`: the name of the key's workspace and the time zone of its days.
struct WorkspaceRoutes: Sendable {
    let workspaces: WorkspaceService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/workspace/details",
                "workspace.details",
                "Tells the settings of the workspace",
                answers: Self.answer
            ) { call in try Self.answer(await workspaces.workspace(call.workspace)) },
            .post(
                "/workspace/update",
                "workspace.update",
                "Changes settings of the workspace; what is not sent stays",
                success: .ok,
                takes: .object([
                    "name": Schema.text(1...WorkspaceSettings.nameLimit),
                    "time_zone": Schema.name.described("The IANA name, such as Asia/Tokyo."),
                    "currency": Schema.name.described("ISO 4217, such as JPY."),
                    "languages": Schema.list(of: .name, limit: WorkspaceSettings.languageLimit)
                        .described("Codes of ISO 639, such as ja, in the order to be shown."),
                    "color": Schema.choice(WorkspaceColor.allCases.map(\.rawValue)),
                ]),
                answers: Self.answer
            ) { try await change($0) }.recordingItself,
        ]
    }

    private static let answer = Schema.success([
        "name": Schema.text.required, "time_zone": Schema.text.required,
        "currency": Schema.text.required,
        "languages": Schema.list(of: .text, limit: WorkspaceSettings.languageLimit).required,
        "color": Schema.choice(WorkspaceColor.allCases.map(\.rawValue)).required,
    ])

    private func change(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.string("name")
        let timeZone = try reader.string("time_zone")
        let currency = try reader.string("currency")
        let languages =
            reader.fields.contains("languages")
            ? try reader.strings("languages", limit: WorkspaceSettings.languageLimit) : nil
        var color: WorkspaceColor?
        if let text = try reader.string("color") {
            color = WorkspaceColor(rawValue: text)
            guard color != nil else {
                let names = WorkspaceColor.allCases.map(\.rawValue).joined(separator: ", ")
                throw reader.problem("color", .isOneOf, ["known": .text(names)])
            }
        }
        let workspace = try await workspaces.change(by: .key(call.key)) { [color] settings in
            settings.name = name ?? settings.name
            settings.timeZone = timeZone ?? settings.timeZone
            settings.currency = currency ?? settings.currency
            settings.languages = languages ?? settings.languages
            settings.color = color ?? settings.color
        }
        return try Self.answer(workspace)
    }

    private static func answer(_ workspace: Workspace) throws -> Response {
        let settings = workspace.settings
        return try JSONResponse.json([
            "message": "success", "name": .string(settings.name),
            "time_zone": .string(settings.timeZone), "currency": .string(settings.currency),
            "languages": .array(settings.languages.map(JSONValue.string)),
            "color": .string(settings.color.rawValue),
        ])
    }
}
