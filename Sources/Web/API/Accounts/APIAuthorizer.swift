import Accounts
import Foundation
import Front
import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// Authenticates requests by a key of the REST API, or by the app key of an SDK.
package struct APIAuthorizer: Sendable {
    private let accounts: AccountService
    private let apps: AppService
    private let limiter: RateLimiter
    private let address: ClientAddress
    private let audit: AuditLog

    init(
        accounts: AccountService,
        apps: AppService,
        limiter: RateLimiter,
        address: ClientAddress,
        audit: AuditLog
    ) {
        self.accounts = accounts
        self.apps = apps
        self.limiter = limiter
        self.audit = audit
        self.address = address
    }

    /// The key of the request, if it may use the endpoint from its address.
    func key(
        of request: Request,
        in context: some RequestContext,
        beside parameter: String?,
        permission: String
    ) async throws -> APIKey {
        let secret = if let parameter { parameter } else { try bearer(request) }
        guard let key = try await accounts.apiKey(secret: secret) else {
            throw APIError(.unauthorized, "the API key is unknown, expired or revoked")
        }
        guard key.allows(permission) else {
            throw APIError(
                .forbidden,
                "the API key '\(key.name)' has no permission '\(permission)'"
            )
        }
        let address = address.of(request, in: context)
        guard key.allows(from: address) else {
            throw APIError(
                .forbidden,
                "the API key '\(key.name)' may not be used from \(address ?? "an unknown address")"
            )
        }
        return key
    }

    /// Records a change made with a key. Ingested user data is not a change of the workspace, and
    /// neither is reading with a POST.
    func record(_ permission: String, by key: APIKey) async throws {
        let isData = permission.hasPrefix("users.track") || permission.hasPrefix("users.export")
        guard !isData else { return }
        try await audit.record(permission, "", by: key.name, in: key.workspace)
    }

    /// Serves an SDK for the app of its key, unless the app's SDKs exceed their rate limit; the
    /// response contains the remaining limit.
    func serve(
        _ request: Request,
        _ context: some RequestContext,
        _ work: (App) async throws -> Response
    ) async throws -> Response {
        guard let app = try await apps.app(sdkKey: try bearer(request)) else {
            throw APIError(.unauthorized, "the SDK key is unknown; see Settings, Apps")
        }
        let verdict = limiter.take(for: app)
        var response: Response
        do {
            guard verdict.isAllowed else {
                throw APIError(
                    .tooManyRequests,
                    "the app '\(app.name)' has made too many requests; "
                        + "wait \(verdict.retryAfterSeconds) seconds",
                    retryAfterSeconds: verdict.retryAfterSeconds
                )
            }
            response = try await work(app)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        } catch let error where !(error is CancellationError) {
            let route = context.endpointPath ?? "none"
            response = try APIError.unexpected(error, at: route, context.logger)
                .response(from: request, context: context)
        }
        for (name, value) in verdict.headers { response.headers[name] = value }
        return response
    }

    private func bearer(_ request: Request) throws -> String {
        guard let header = request.headers[.authorization] else {
            throw APIError(.unauthorized, "send the header 'Authorization: Bearer <key>'")
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw APIError(.unauthorized, "the header Authorization must be 'Bearer <key>'")
        }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
