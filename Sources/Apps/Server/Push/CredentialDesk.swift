import APNs
import Accounts
import FCM
import Foundation
import Model
import Ports
import WebPush

/// Takes what push providers want to see of an app: checks it, stores it sealed, describes it.
package struct CredentialDesk: Sendable {
    private let store: any AccountStore
    private let vault: CredentialVault
    private let now: @Sendable () -> Date

    package init(
        store: any AccountStore,
        vault: CredentialVault,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.vault = vault
        self.now = now
    }

    // MARK: Storing

    /// Stores a signing key or certificate that works in at least one of Apple's environments.
    ///
    /// - Throws: `CredentialProblem`.
    @discardableResult
    package func save(_ credentials: APNsCredentials, of app: App) async throws -> CredentialFacts {
        let problems = APNsEnvironment.allCases.map {
            credentials.problem(bundleID: app.bundleID, environment: $0, now: now())
        }
        // An environment that a certificate is not for says so; another problem comes first.
        let worst = problems.compactMap(\.self).min { left, _ in
            left.reason != "BadCertificateEnvironment"
        }
        if let worst, !problems.contains(nil) {
            throw CredentialProblem(field: credentials.field, worst.description)
        }
        try await vault.save(credentials, app: app.id, provider: .apns)
        return describe(credentials)
    }

    /// Stores a Firebase service account from its JSON file.
    ///
    /// - Throws: `CredentialProblem`.
    @discardableResult
    package func save(serviceAccount json: [UInt8], of app: App) async throws -> CredentialFacts {
        do {
            let credentials = try FCMCredentials(serviceAccount: json)
            try await vault.save(credentials, app: app.id, provider: .fcm)
            return describe(credentials)
        } catch let error as FCMCredentialError {
            throw CredentialProblem(field: "json", error.description)
        }
    }

    /// Stores the VAPID key of a site.
    ///
    /// - Parameters:
    ///   - privateKey: 32 bytes in base64url, or PEM; nil keeps the key that is there, and makes
    ///     one where there is none.
    ///   - site: where a tap leads when a message names no address.
    /// - Throws: `CredentialProblem`.
    @discardableResult
    package func saveVAPID(
        privateKey: String?,
        contact: String,
        site: String,
        of app: App
    ) async throws -> CredentialFacts {
        let known = try await webPush(of: app)
        let given = privateKey?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let credentials = WebPushCredentials(
            privateKey: given.isEmpty ? known?.privateKey ?? VAPIDKey().privateKey : given,
            contact: contact.trimmingCharacters(in: .whitespaces),
            site: site.trimmingCharacters(in: .whitespaces)
        )
        if let problem = credentials.problem {
            throw CredentialProblem(field: problem.field, problem.description)
        }
        try await vault.save(credentials, app: app.id, provider: .webPush)
        return describe(credentials)
    }

    // MARK: Reading

    /// What is stored for an app.
    package func facts(of app: App) async throws -> [CredentialFacts] {
        var facts: [CredentialFacts] = []
        if let stored = try await apns(of: app) { facts.append(describe(stored)) }
        if let stored = try await fcm(of: app) { facts.append(describe(stored)) }
        if let stored = try await webPush(of: app) { facts.append(describe(stored)) }
        return facts
    }

    /// The key that a browser subscribes with, base64url; nil when the app has none.
    package func applicationServerKey(of app: App) async throws -> String? {
        try await webPush(of: app).map { try VAPIDKey(privateKey: $0.privateKey).publicKey }
    }

    /// What has to be done about stored credentials, by app.
    package func warnings(in workspace: WorkspaceID) async throws -> [(app: App, text: String)] {
        var warnings: [(App, String)] = []
        for app in try await store.apps(in: workspace) {
            do {
                warnings += try await facts(of: app).compactMap { facts in
                    facts.warning.map { (app, $0) }
                }
            } catch let problem as CredentialVault.Problem {
                warnings.append((app, problem.description))
            }
        }
        return warnings
    }

    package func apns(of app: App) async throws -> APNsCredentials? {
        try await vault.credentials(APNsCredentials.self, app: app.id, provider: .apns)
    }

    package func fcm(of app: App) async throws -> FCMCredentials? {
        try await vault.credentials(FCMCredentials.self, app: app.id, provider: .fcm)
    }

    package func webPush(of app: App) async throws -> WebPushCredentials? {
        try await vault.credentials(WebPushCredentials.self, app: app.id, provider: .webPush)
    }

    // MARK: Describing

    private func describe(_ credentials: APNsCredentials) -> CredentialFacts {
        switch credentials {
        case .token(let keyID, let teamID, _):
            return CredentialFacts(kind: .apnsKey, lines: [keyID, teamID])
        case .certificate(let p12, let password):
            do {
                let summary = try APNsCertificateSummary(p12: p12, password: password)
                let topics = summary.topics.filter { $0 != summary.bundleID }.sorted()
                let environments = summary.environments.map(\.rawValue).sorted()
                return CredentialFacts(
                    kind: .apnsCertificate,
                    lines: [summary.bundleID] + topics + [environments.joined(separator: " + ")],
                    expires: summary.expires,
                    warning: summary.warning(now: now())
                )
            } catch {
                return CredentialFacts(
                    kind: .apnsCertificate,
                    lines: ["p12"],
                    warning: error.description
                )
            }
        }
    }

    private func describe(_ credentials: FCMCredentials) -> CredentialFacts {
        CredentialFacts(
            kind: .fcmAccount,
            lines: [credentials.projectID, credentials.clientEmail]
        )
    }

    private func describe(_ credentials: WebPushCredentials) -> CredentialFacts {
        let key = try? VAPIDKey(privateKey: credentials.privateKey).publicKey
        return CredentialFacts(
            kind: .vapidKey,
            lines: [key ?? "", credentials.contact, credentials.site],
            warning: credentials.problem?.description
        )
    }
}

extension APNsCredentials {
    fileprivate var field: String {
        switch self {
        case .token: "p8"
        case .certificate: "p12"
        }
    }
}
