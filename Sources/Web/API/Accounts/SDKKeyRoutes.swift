import Accounts
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/app_group/sdk_authentication/…`: how users' signed tokens are verified, and with which keys.
struct SDKKeyRoutes: Sendable {
    private static let path = "/app_group/sdk_authentication"

    private typealias Mode = SDKAuthenticationPolicy.Mode

    let keys: SDKKeyService

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
            .get(
                Self.path + "/keys",
                "sdk_authentication.keys",
                "Says how the signed tokens of an app's users are verified, and with which public keys",
                [
                    .init(
                        name: "app_id",
                        isRequired: true,
                        schema: .name,
                        summary: "The SDK key of the app."
                    )
                ],
                answers: Self.answer
            ) { call in
                let app = try call.reader().requiredString("app_id")
                return try Self.answer(await keys.policy(ofApp: app, in: call.workspace))
            },
            .post(
                Self.path + "/create",
                "sdk_authentication.create",
                "Adds a public key, three to an app at most; the first one is primary",
                takes: .object([
                    "app_id": Schema.name.required,
                    "rsa_public_key_str": Schema.text(1...SDKKeyService.keyLimit).required
                        .described("An RSA public key in PEM."),
                    "description": Schema.text(1...SDKKeyService.descriptionLimit).required,
                    "make_primary": .bool,
                ]),
                answers: .success(["id": Schema.uuid.required])
            ) { try await add($0) }.recordingItself,
            .on(
                .put,
                Self.path + "/primary",
                "sdk_authentication.primary",
                "Makes a key the primary one",
                takes: Self.named,
                answers: Self.answer
            ) { call in
                let (app, key) = try Self.named(call)
                return try Self.answer(
                    await keys.makePrimary(key, ofApp: app, by: .key(call.key))
                )
            }.recordingItself,
            .on(
                .delete,
                Self.path + "/delete",
                "sdk_authentication.delete",
                "Removes a key that is not the primary one",
                takes: Self.named,
                answers: Self.answer
            ) { call in
                let (app, key) = try Self.named(call)
                return try Self.answer(await keys.remove(key, ofApp: app, by: .key(call.key)))
            }.withBody.recordingItself,
            .on(
                .put,
                Self.path + "/mode",
                "sdk_authentication.mode",
                "Says whether an app's users have to prove who they are with a signed token",
                takes: .object([
                    "app_id": Schema.name.required,
                    "mode": Self.mode.required
                        .described(
                            "optional: tokens are verified, failures are logged, and everybody is "
                                + "believed. required: pushes and messages for a user go only to "
                                + "devices that brought the user's token."
                        ),
                ]),
                answers: Self.answer
            ) { call in
                let reader = try call.reader()
                guard let mode = try reader.choice("mode", Mode.allCases) else {
                    throw reader.problem("mode", .required)
                }
                let app = try reader.requiredString("app_id")
                return try Self.answer(
                    await keys.change(to: mode, ofApp: app, by: .key(call.key))
                )
            }.recordingItself,
        ]
        return all
    }

    private static let named = Schema.object([
        "app_id": Schema.name.required, "key_id": Schema.uuid.required,
    ])

    private static let mode = Schema.choice(Mode.allCases.map(\.rawValue))

    private static let answer = Schema.success([
        "mode": mode.required,
        "keys": Schema.list(
            of: .object([
                "id": Schema.uuid.required, "rsa_public_key": Schema.text.required,
                "description": Schema.text.required, "is_primary": Schema.bool.required,
            ]),
            limit: SDKAuthenticationPolicy.keyLimit
        ).required,
    ])

    private func add(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let id = try await keys.add(
            try reader.requiredPlainText("rsa_public_key_str", 1...SDKKeyService.keyLimit),
            description: try reader.requiredPlainText(
                "description",
                1...SDKKeyService.descriptionLimit
            ),
            isPrimary: try reader.flag("make_primary") ?? false,
            toApp: try reader.requiredString("app_id"),
            by: .key(call.key)
        )
        return try JSONResponse.json(
            JSONValue.object(["message": "success", "id": .string(id.uuidString.lowercased())]),
            status: .created
        )
    }

    private static func named(_ call: RESTEndpoint.Call) throws -> (app: String, key: UUID) {
        let reader = try call.reader()
        let app = try reader.requiredString("app_id")
        guard let key = UUID(uuidString: try reader.requiredString("key_id")) else {
            throw reader.problem("key_id", .keyID)
        }
        return (app, key)
    }

    private static func answer(_ policy: SDKAuthenticationPolicy) throws -> Response {
        try JSONResponse.json([
            "message": "success",
            "mode": .string(policy.mode.rawValue),
            "keys": .array(
                policy.keys.map { key in
                    [
                        "id": .string(key.id.uuidString.lowercased()),
                        "rsa_public_key": .string(key.publicKey),
                        "description": .string(key.description),
                        "is_primary": .bool(key == policy.keys.first),
                    ]
                }
            ),
        ])
    }
}
