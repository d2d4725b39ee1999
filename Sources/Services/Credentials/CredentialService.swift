import Foundation
import Model
import Ports
import Reasons

/// Push credentials of apps: validated, stored encrypted, described and tested.
package struct CredentialService: Sendable {
    private let store: any AccountStore
    private let vault: CredentialVault
    private let inspector: any CredentialInspector
    private let providers: (any PushCredentialTests)?
    private let now: @Sendable () -> Date

    /// - Parameter providers: The providers to which pushes are sent; `nil` if none are sent.
    package init(
        store: any AccountStore,
        vault: CredentialVault,
        inspector: any CredentialInspector,
        providers: (any PushCredentialTests)? = nil,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.vault = vault
        self.inspector = inspector
        self.providers = providers
        self.now = now
    }

    /// Validates and stores uploaded credentials; replaces earlier ones.
    ///
    /// - Throws: `ValidationError`; `NotAllowedError` to whoever is no administrator, and for apps of
    ///   other workspaces.
    @discardableResult
    package func save(
        _ upload: CredentialUpload,
        of app: App,
        by actor: Actor
    ) async throws -> CredentialSummary {
        try check(actor, app)
        let (credentials, facts) = try await inspector.check(upload, of: app)
        try await vault.save(
            credentials,
            app: app.id,
            provider: upload.provider,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "credentials_saved",
                subject: "#\(app.id)",
                detail: facts.kind.rawValue
            )
        )
        providers?.forgetCredentials(of: app)
        return facts
    }

    /// Tests an app's stored credentials; empty if there is nothing to test.
    ///
    /// - Throws: As ``save(_:of:by:)``.
    package func test(_ app: App, by actor: Actor) async throws -> [CredentialTestResult] {
        try check(actor, app)
        return try await providers?.testCredentials(of: app) ?? []
    }

    /// An app's stored credentials. Those that cannot be decrypted are included with a warning that
    /// gives the reason.
    package func facts(of app: App) async throws -> [CredentialSummary] {
        var facts: [CredentialSummary] = []
        for provider in PushProvider.allCases {
            do {
                if let stored = try await inspector.facts(of: app, for: provider) {
                    facts.append(stored)
                }
            } catch let error as CredentialError {
                facts.append(
                    CredentialSummary(kind: .init(provider), lines: [], warning: error.reason)
                )
            }
        }
        return facts
    }

    /// The key with which a browser subscribes, in base64url; `nil` if the app has none.
    package func applicationServerKey(of app: App) async throws -> String? {
        try await inspector.applicationServerKey(of: app)
    }

    /// What has to be done about stored credentials, by app.
    package func warnings(in workspace: WorkspaceID) async throws -> [(app: App, reason: Reason)] {
        var warnings: [(App, Reason)] = []
        for app in try await store.apps(in: workspace) {
            warnings += try await facts(of: app).compactMap { facts in
                facts.warning.map { (app, $0) }
            }
        }
        return warnings
    }

    /// The ends of stored credentials that have one. Credentials that cannot be opened have none.
    package func expiries(
        in workspace: WorkspaceID
    ) async throws -> [(app: AppID, provider: PushProvider, end: Date)] {
        var expiries: [(AppID, PushProvider, Date)] = []
        for app in try await store.apps(in: workspace) {
            expiries += try await facts(of: app).compactMap { facts in
                facts.expires.map { (app.id, facts.kind.provider, $0) }
            }
        }
        return expiries
    }

    private func check(_ actor: Actor, _ app: App) throws(NotAllowedError) {
        try actor.require(.administrator)
        guard app.workspace == actor.workspace else { throw NotAllowedError() }
    }
}

/// Knowledge about credentials that only the providers' clients have.
package protocol CredentialInspector: Sendable {
    /// Validates uploaded credentials.
    ///
    /// - Returns: What is to be stored.
    /// - Throws: `ValidationError`.
    func check(
        _ upload: CredentialUpload,
        of app: App
    ) async throws -> (credentials: any Encodable & Sendable, facts: CredentialSummary)
    /// Describes the stored credentials.
    ///
    /// - Throws: `CredentialError`.
    func facts(of app: App, for provider: PushProvider) async throws -> CredentialSummary?
    func applicationServerKey(of app: App) async throws -> String?
}

/// Tests stored credentials with the push providers.
package protocol PushCredentialTests: Sendable {
    func testCredentials(of app: App) async throws -> [CredentialTestResult]
    /// Makes an app's new credentials take effect now.
    func forgetCredentials(of app: App)
}

/// An uploaded key or certificate.
package enum CredentialUpload: Sendable, Hashable {
    case apnsKey(p8: [UInt8], keyID: String, teamID: String)
    case apnsCertificate(p12: [UInt8], password: String?)
    case fcmAccount(json: [UInt8])
    /// Without a private key the existing one is kept, or a new one is created. `site` is the
    /// address that a tap opens if a message names none.
    case vapidKey(privateKey: String?, contact: String, site: String)

    package var provider: PushProvider {
        switch self {
        case .apnsKey, .apnsCertificate: .apns
        case .fcmAccount: .fcm
        case .vapidKey: .webPush
        }
    }
}

/// The result of testing an app's credentials with one provider.
package struct CredentialTestResult: Sendable, Hashable {
    /// The tested service, such as `APNs sandbox`.
    package var target: String
    package var result: CredentialTestOutcome

    package init(target: String, result: CredentialTestOutcome) {
        self.target = target
        self.result = result
    }
}
