import Foundation
import Noroshi
import NoroshiOutbox

/// The calls of the Rakuza SDK, implemented with Noroshi: an app written for `RKZService` changes
/// its import and its tenant key.
///
/// Data that the Rakuza SDK sends immediately is first stored in Noroshi's outbox. A call reports
/// success once its data is stored and an attempt to send it was made: without a network it is sent
/// later, and nothing is lost. Callbacks are called on the main actor.
public final class RKZService: Sendable {
    /// Receives a status.
    public typealias StatusBlock =
        @MainActor @Sendable (_ statusCode: RKZApiStatusCode, _ responseStatus: RKZResponseStatus)
        -> Void

    /// The Rakuza SDK's global service of the app; Noroshi itself has no such global.
    private static let shared = RKZService()

    private let current = Locked<Noroshi?>(nil)

    /// A separate service, for tests and for apps with more than one tenant.
    public init() {}

    /// The service of the app.
    public static func sharedInstance() -> RKZService { shared }

    /// Whether a tenant key was set.
    public var isInitialized: Bool { current.withLock { $0 != nil } }

    /// The SDK used by the service; `nil` before a tenant key was set.
    public var noroshi: Noroshi? { current.withLock { $0 } }

    /// Connects to the server in the app's Info.plist under `NoroshiEndpoint`; `tenantKey` is the
    /// SDK key of the app.
    @available(iOSApplicationExtension, unavailable)
    @discardableResult
    public func setTenantKey(_ tenantKey: String) -> RKZResponseStatus {
        guard let endpoint = Bundle.main.object(forInfoDictionaryKey: "NoroshiEndpoint") as? String
        else {
            return RKZResponseStatus(
                .serviceInitializeError,
                message: "Info.plist has no NoroshiEndpoint; set it or name the endpoint here"
            )
        }
        return setTenantKey(tenantKey, endpoint: endpoint)
    }

    /// Connects to the server `endpoint`; `tenantKey` is the SDK key of the app.
    @available(iOSApplicationExtension, unavailable)
    @discardableResult
    public func setTenantKey(_ tenantKey: String, endpoint: String) -> RKZResponseStatus {
        guard !tenantKey.isEmpty else {
            return RKZResponseStatus(.requiredError, message: "the tenant key is empty")
        }
        return use(
            Noroshi(configuration: Noroshi.Configuration(apiKey: tenantKey, endpoint: endpoint))
        )
    }

    /// Uses an SDK that the app has created itself.
    @discardableResult
    public func use(_ noroshi: Noroshi) -> RKZResponseStatus {
        current.withLock { $0 = noroshi }
        return RKZResponseStatus(.success)
    }

    // MARK: - How calls are carried out

    /// Runs `body` with the SDK as the user `userAccessToken`, sends, and reports the result.
    func perform(
        as userAccessToken: String?,
        _ body: (Noroshi) -> Result<Void, NoroshiError>,
        then block: @escaping @MainActor @Sendable (RKZResponseStatus) -> Void
    ) {
        let status = prepare(userAccessToken, body)
        let noroshi = noroshi
        Task { @MainActor in
            if status.isSuccess { await noroshi?.flush() }
            block(status)
        }
    }

    private func prepare(
        _ userAccessToken: String?,
        _ body: (Noroshi) -> Result<Void, NoroshiError>
    ) -> RKZResponseStatus {
        guard let noroshi else {
            return RKZResponseStatus(
                .serviceInitializeError,
                message: "setTenantKey has to be called first"
            )
        }
        if let userAccessToken {
            guard !userAccessToken.isEmpty else {
                return RKZResponseStatus(.requiredError, message: "the user access token is empty")
            }
            if case .failure(let error) = noroshi.changeUser(userId: userAccessToken) {
                return Self.status(of: error)
            }
        }
        switch body(noroshi) {
        case .success: return RKZResponseStatus(.success)
        case .failure(let error): return Self.status(of: error)
        }
    }

    static func status(of error: any Error) -> RKZResponseStatus {
        guard let error = error as? NoroshiError else {
            return RKZResponseStatus(.connectionError, message: "\(error)", httpError: error)
        }
        let code: RKZApiStatusCode =
            switch error.code {
            case .invalidInput: .validationError
            case .disabled: .unauthorizedError
            case .storage: .systemError
            case .network: .connectionError
            case .server: .systemError
            case .configuration: .serviceInitializeError
            }
        return RKZResponseStatus(code, message: error.description, httpError: error)
    }
}
