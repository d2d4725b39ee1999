import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Model
import Ports

/// Finds out who asks: by the key of the REST API, or the app key of an SDK.
package struct APIAuthorizer: Sendable {
    private let accounts: AccountService
    private let apps: any AccountStore
    private let limiter: RateLimiter
    private let audit: AuditLog

    init(
        accounts: AccountService,
        apps: any AccountStore,
        limiter: RateLimiter,
        audit: AuditLog
    ) {
        self.accounts = accounts
        self.apps = apps
        self.limiter = limiter
        self.audit = audit
    }

    /// The key that asks, if it may use the endpoint.
    func key(of request: Request, permission: String) async throws -> APIKey {
        let secret = try bearer(request)
        guard let key = try await accounts.apiKey(secret: secret) else {
            throw APIProblem(.unauthorized, "the API key is unknown or revoked")
        }
        guard key.allows(permission) else {
            throw APIProblem(
                .forbidden,
                "the API key '\(key.name)' has no permission '\(permission)'"
            )
        }
        return key
    }

    /// Writes down that a key has changed something. Data of users that come in by the thousand are
    /// no changes of the workspace, and reading with a POST is none either.
    func record(_ permission: String, by key: APIKey) async throws {
        let isData = permission == "users.track" || permission.hasPrefix("users.export")
        guard !isData else { return }
        try await audit.record(permission, "", by: key.name, in: key.workspace)
    }

    /// The app whose SDK asks, if its SDKs do not ask too often.
    func app(of request: Request) async throws -> App {
        guard let app = try await apps.app(sdkKey: try bearer(request)) else {
            throw APIProblem(.unauthorized, "the SDK key is unknown; see Settings, Apps")
        }
        let verdict = limiter.take(for: app)
        guard verdict.isAllowed else {
            throw APIProblem(
                .tooManyRequests,
                "the app '\(app.name)' has made too many requests; "
                    + "wait \(verdict.retryAfterSeconds) seconds",
                retryAfterSeconds: verdict.retryAfterSeconds
            )
        }
        return app
    }

    private func bearer(_ request: Request) throws -> String {
        guard let header = request.headers[.authorization] else {
            throw APIProblem(.unauthorized, "send the header 'Authorization: Bearer <key>'")
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw APIProblem(.unauthorized, "the header Authorization must be 'Bearer <key>'")
        }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}
