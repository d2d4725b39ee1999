import Foundation
import Model
import Ports

/// What push providers want to see of apps: checked, stored sealed, described and tried.
package struct CredentialService: Sendable {
    private let store: any AccountStore
    private let vault: CredentialVault
    private let inspector: any CredentialInspector
    private let providers: (any PushCredentialTests)?
    private let now: @Sendable () -> Date

    /// - Parameter providers: Those that pushes are given to; `nil` where none are sent.
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

    /// Checks and stores what somebody has uploaded; it replaces what was there.
    ///
    /// - Throws: ``CredentialProblem``; `NotAllowed` to whoever is no administrator, and for apps of
    ///   other workspaces.
    @discardableResult
    package func save(
        _ upload: CredentialUpload,
        of app: App,
        by actor: Actor
    ) async throws -> CredentialFacts {
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

    /// Tries what is stored for an app; empty when there is nothing to try.
    ///
    /// - Throws: As ``save(_:of:by:)``.
    package func test(_ app: App, by actor: Actor) async throws -> [CredentialTrial] {
        try check(actor, app)
        return try await providers?.testCredentials(of: app) ?? []
    }

    /// What is stored for an app. What does not open is there with a warning that says why.
    package func facts(of app: App) async throws -> [CredentialFacts] {
        var facts: [CredentialFacts] = []
        for provider in PushProvider.allCases {
            do {
                if let stored = try await inspector.facts(of: app, for: provider) {
                    facts.append(stored)
                }
            } catch let problem as CredentialVault.Problem {
                facts.append(
                    CredentialFacts(kind: .init(provider), lines: [], warning: problem.description)
                )
            }
        }
        return facts
    }

    /// The key that a browser subscribes with, base64url; `nil` when the app has none.
    package func applicationServerKey(of app: App) async throws -> String? {
        try await inspector.applicationServerKey(of: app)
    }

    /// What has to be done about stored credentials, by app.
    package func warnings(in workspace: WorkspaceID) async throws -> [(app: App, text: String)] {
        var warnings: [(App, String)] = []
        for app in try await store.apps(in: workspace) {
            warnings += try await facts(of: app).compactMap { facts in
                facts.warning.map { (app, $0) }
            }
        }
        return warnings
    }

    private func check(_ actor: Actor, _ app: App) throws(NotAllowed) {
        try actor.require(.administrator)
        guard app.workspace == actor.workspace else { throw NotAllowed() }
    }
}

/// What only the clients of push providers know about credentials.
package protocol CredentialInspector: Sendable {
    /// Reads what somebody has uploaded.
    ///
    /// - Returns: What is to be stored.
    /// - Throws: ``CredentialProblem``.
    func check(
        _ upload: CredentialUpload,
        of app: App
    ) async throws -> (credentials: any Encodable & Sendable, facts: CredentialFacts)
    /// What is stored.
    ///
    /// - Throws: `CredentialVault.Problem`.
    func facts(of app: App, for provider: PushProvider) async throws -> CredentialFacts?
    func applicationServerKey(of app: App) async throws -> String?
}

/// The push providers that stored credentials are shown to.
package protocol PushCredentialTests: Sendable {
    func testCredentials(of app: App) async throws -> [CredentialTrial]
    /// Uses an app's new credentials at once.
    func forgetCredentials(of app: App)
}

/// A key or certificate as somebody uploads it.
package enum CredentialUpload: Sendable, Hashable {
    case apnsKey(p8: [UInt8], keyID: String, teamID: String)
    case apnsCertificate(p12: [UInt8], password: String?)
    case fcmAccount(json: [UInt8])
    /// Without a private key the one that is there stays, or one is made. `site` is where a tap
    /// leads when a message names no address.
    case vapidKey(privateKey: String?, contact: String, site: String)

    package var provider: PushProvider {
        switch self {
        case .apnsKey, .apnsCertificate: .apns
        case .fcmAccount: .fcm
        case .vapidKey: .webPush
        }
    }
}

/// How one provider answered when an app's credentials were tried.
package struct CredentialTrial: Sendable, Hashable {
    /// Such as `APNs sandbox`.
    package var target: String
    package var result: PushCredentialTest

    package init(target: String, result: PushCredentialTest) {
        self.target = target
        self.result = result
    }
}
