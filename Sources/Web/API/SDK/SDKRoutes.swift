import Campaigns
import Foundation
import Hummingbird
import InAppMessages
import Ingestion
import JSON
import Logging
import Model
import NIOCore
import NoroshiWire
import Reasons
import Users
import WebPages

/// The endpoints for the client libraries: `POST /sdk/v1/batch` and others.
package struct SDKRoutes: Sendable {
    private let authorizer: APIAuthorizer
    private let ingestion: IngestionService
    private let authenticator: SDKAuthenticator
    private let inAppMessages: InAppMessageService
    private let users: UserService
    private let webPushKey: @Sendable (App) async throws -> String?
    private let bodies: APIRequestBody
    private let now: @Sendable () -> Date
    private let ids: TimeOrderedIDs

    init(
        authorizer: APIAuthorizer,
        ingestion: IngestionService,
        inAppMessages: InAppMessageService,
        users: UserService,
        webPushKey: @escaping @Sendable (App) async throws -> String?,
        bodies: APIRequestBody,
        now: @escaping @Sendable () -> Date
    ) {
        self.authorizer = authorizer
        self.ingestion = ingestion
        authenticator = SDKAuthenticator(now: now)
        self.inAppMessages = inAppMessages
        self.users = users
        self.webPushKey = webPushKey
        self.bodies = bodies
        self.now = now
        ids = TimeOrderedIDs(now: now)
    }

    package func add(to router: Router<some RequestContext>) {
        router.post("/sdk/v1/batch") { request, context in
            try await authorizer.serve(request, context) { app in
                try await batch(request, of: app, logger: context.logger)
            }
        }
        router.get("/sdk/v1/in_app_messages") { request, context in
            try await authorizer.serve(request, context) { try await messages(request, for: $0) }
        }
        router.get("/sdk/v1/web_push_key") { request, context in
            try await authorizer.serve(request, context) { try await pushKey(of: $0) }
        }
        router.post("/sdk/v1/users/delete") { request, context in
            try await authorizer.serve(request, context) { try await deleteUser(request, of: $0) }
        }
        router.put("/sdk/v1/push-token") { request, context in
            try await authorizer.serve(request, context) { app in
                try await registerToken(request, of: app, logger: context.logger)
            }
        }
        router.delete("/sdk/v1/push-token") { request, context in
            try await authorizer.serve(request, context) { app in
                try await clearToken(request, of: app, logger: context.logger)
            }
        }
    }

    private func batch(
        _ request: Request,
        of app: App,
        logger: Logger
    ) async throws -> Response {
        let document = try await bodies.json(request, flawedStrings: .kept)
        let decoded: SDKBatchDecoder
        do {
            decoded = try SDKBatchDecoder(document.root)
        } catch {
            throw APIError.field(error)
        }
        let proved = try authenticator.check(decoded.batch, of: app, logger: logger)
        var receipt = try await store(
            decoded.batch,
            of: app,
            provedUser: proved,
            bytes: document.root.byteCount
        )
        receipt.rejected = decoded.rejections + receipt.rejected
        return try JSONResponse.json(receipt)
    }

    /// The in-app messages that a device may show.
    private func messages(_ request: Request, for app: App) async throws -> Response {
        let parameters = request.query
        do {
            let user = parameters.value("user")
            let messages = try await inAppMessages.messages(
                for: UUID(uuidString: parameters["device"]),
                user: user,
                isProved: authenticator.proves(request, user, of: app),
                of: app
            )
            return try JSONResponse.json(SDKInAppMessages(messages: messages))
        } catch let problem as AudienceError where problem.code == .notReady {
            throw APIError(.serviceUnavailable, problem.description, retryAfterSeconds: 5)
        }
    }

    /// Deletes the user who asks for it.
    private func deleteUser(_ request: Request, of app: App) async throws -> Response {
        let wish = try decode(SDKDeletion.self, try await bodies.text(request))
        let user: UserReference
        switch wish.user {
        case .external(let id):
            try authenticator.require(id, wish.signature, of: app)
            user = .external(id)
        case .anonymous(let id):
            user = .anonymous(id)
        }
        let isDeleted = try await users.delete(user, atWishFrom: wish.device, of: app)
        return try JSONResponse.json(
            JSONValue.object(["message": "success", "deleted": .integer(isDeleted ? 1 : 0)])
        )
    }

    /// The key with which a browser subscribes (`applicationServerKey`).
    private func pushKey(of app: App) async throws -> Response {
        guard let key = try await webPushKey(app) else {
            throw APIError(
                .notFound,
                "the app '\(app.name)' has no VAPID key; make one in its settings or with "
                    + "./noroshi credentials vapid"
            )
        }
        return try JSONResponse.json(["application_server_key": key])
    }

    /// For clients without an outbox: registers a token with its device and user.
    private func registerToken(
        _ request: Request,
        of app: App,
        logger: Logger
    ) async throws -> Response {
        let body = try decode(TokenRegistration.self, try await bodies.text(request))
        return try await single(
            .pushToken(body.token),
            device: body.device,
            user: body.user,
            signature: body.signature,
            of: app,
            logger: logger
        )
    }

    private func clearToken(
        _ request: Request,
        of app: App,
        logger: Logger
    ) async throws -> Response {
        let body = try decode(TokenRemoval.self, try await bodies.text(request))
        return try await single(
            .pushTokenCleared,
            device: body.device,
            user: body.user,
            signature: body.signature,
            of: app,
            logger: logger
        )
    }

    private struct TokenRegistration: Decodable {
        var device: SDKDevice
        var user: SDKUser
        var token: SDKRecord.PushToken
        var signature: String?
    }

    private struct TokenRemoval: Decodable {
        var device: SDKDevice
        var user: SDKUser
        var signature: String?
    }

    private func single(
        _ content: SDKRecord.Content,
        device: SDKDevice,
        user: SDKUser,
        signature: String?,
        of app: App,
        logger: Logger
    ) async throws -> Response {
        let record = SDKRecord(
            id: ids.next(),
            sequence: 0,
            timeMilliseconds: now().milliseconds,
            user: user,
            content: content
        )
        do {
            try SDKBatchReader.check(device)
        } catch {
            throw APIError.field(error)
        }
        let batch = SDKBatch(device: device, records: [record], signature: signature)
        let proved = try authenticator.check(batch, of: app, logger: logger)
        let receipt = try await store(batch, of: app, provedUser: proved, bytes: 0)
        if let rejection = receipt.rejected.first {
            throw APIError.record(rejection)
        }
        return try JSONResponse.json(["message": "success"])
    }

    private func store(
        _ batch: SDKBatch,
        of app: App,
        provedUser: UserReference?,
        bytes: Int
    ) async throws -> SDKBatchReceipt {
        let (items, rejections) = SDKBatchReader.read(batch, now: now())
        var receipt = SDKBatchReceipt(acknowledged: [], rejected: rejections)
        let outcomes = try await submit(
            IngestRequest(
                workspace: app.workspace,
                source: .device(batch.device, app: app.id),
                items: items,
                provedUser: provedUser,
                bytes: bytes
            ),
            to: ingestion
        )
        for (item, outcome) in zip(items, outcomes) {
            guard let id = item.recordID else { continue }
            switch outcome {
            case .stored(let problems):
                receipt.acknowledged.append(id)
                receipt.rejected += problems.map {
                    SDKRejection(
                        id: id,
                        field: "attributes.\($0.field)",
                        message: $0.message
                    )
                }
            case .duplicate:
                receipt.acknowledged.append(id)
            case .rejected(let problem):
                receipt.rejected.append(
                    SDKRejection(id: id, field: problem.field, message: problem.message)
                )
            }
        }
        return receipt
    }

    private func decode<Body: Decodable>(
        _ type: Body.Type,
        _ bytes: ByteBuffer
    ) throws -> Body {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
        } catch let error as DecodingError {
            throw APIError.field(error.problem)
        }
    }
}

/// Submits a request to ingestion and converts a rejection to a response.
func submit(
    _ request: IngestRequest,
    to ingestion: IngestionService
) async throws -> [IngestOutcome] {
    do {
        return try await ingestion.submit(request)
    } catch IngestionError.overloaded(let retryAfter) {
        throw APIError(
            .tooManyRequests,
            "the server is behind with storing; send the same request again",
            retryAfterSeconds: Int(retryAfter / .seconds(1))
        )
    } catch IngestionError.shuttingDown {
        throw APIError(
            .serviceUnavailable,
            "the server is shutting down; send the same request again",
            retryAfterSeconds: 2
        )
    }
}
