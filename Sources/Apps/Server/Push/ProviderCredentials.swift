import APNs
import Credentials
import FCM
import Foundation
import Model
import Reasons
import WebPush

/// Knowledge about credentials from the providers' clients: reads, validates and describes them.
package struct ProviderCredentials: CredentialInspector {
    private let vault: CredentialVault
    private let now: @Sendable () -> Date

    package init(vault: CredentialVault, now: @escaping @Sendable () -> Date) {
        self.vault = vault
        self.now = now
    }

    // MARK: Reading

    package func apns(of app: AppID) async throws -> APNsCredentials? {
        try await vault.credentials(APNsCredentials.self, app: app, provider: .apns)
    }

    package func fcm(of app: AppID) async throws -> FCMCredentials? {
        try await vault.credentials(FCMCredentials.self, app: app, provider: .fcm)
    }

    package func webPush(of app: AppID) async throws -> WebPushCredentials? {
        try await vault.credentials(WebPushCredentials.self, app: app, provider: .webPush)
    }

    package func applicationServerKey(of app: App) async throws -> String? {
        try await webPush(of: app.id).map { try VAPIDKey(privateKey: $0.privateKey).publicKey }
    }

    package func facts(of app: App, for provider: PushProvider) async throws -> CredentialSummary? {
        switch provider {
        case .apns: try await apns(of: app.id).map(describe)
        case .fcm: try await fcm(of: app.id).map(describe)
        case .webPush: try await webPush(of: app.id).map(describe)
        }
    }

    // MARK: Checking

    package func check(
        _ upload: CredentialUpload,
        of app: App
    ) async throws -> (credentials: any Encodable & Sendable, facts: CredentialSummary) {
        guard case .vapidKey(let privateKey, _, _) = upload else {
            return try check(upload, vapidKey: "", of: app)
        }
        let given = privateKey?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        let key = given.isEmpty ? try await vapidKey(of: app) : given
        return try check(upload, vapidKey: key, of: app)
    }

    /// Separate from the function that waits for the key: Swift 6.3 fails to compile both as one in
    /// a release build ("While splitting coroutine").
    ///
    /// - Parameter vapidKey: The private key of an upload for browsers.
    private func check(
        _ upload: CredentialUpload,
        vapidKey: String,
        of app: App
    ) throws(ValidationError) -> (credentials: any Encodable & Sendable, facts: CredentialSummary) {
        switch upload {
        case .apnsKey(let p8, let keyID, let teamID):
            let pem = String(decoding: p8, as: UTF8.self)
            return try check(
                .token(keyID: keyID, teamID: teamID, privateKeyPEM: pem),
                .p8,
                of: app
            )
        case .apnsCertificate(let p12, let password):
            return try check(.certificate(p12: p12, password: password), .p12, of: app)
        case .fcmAccount(let json):
            do {
                let credentials = try FCMCredentials(serviceAccount: json)
                return (credentials, describe(credentials))
            } catch {
                throw ValidationError([FieldProblem(.credential(.json), error.reason)])
            }
        case .vapidKey(_, let contact, let site):
            let credentials = WebPushCredentials(
                privateKey: vapidKey,
                contact: contact.trimmingCharacters(in: .whitespaces),
                site: site.trimmingCharacters(in: .whitespaces)
            )
            if let problem = credentials.problem {
                throw ValidationError([problem])
            }
            return (credentials, describe(credentials))
        }
    }

    /// Validates a signing key or certificate, which must work in at least one of Apple's
    /// environments.
    private func check(
        _ credentials: APNsCredentials,
        _ field: FieldPath.Credential,
        of app: App
    ) throws(ValidationError) -> (credentials: any Encodable & Sendable, facts: CredentialSummary) {
        let problems = APNsEnvironment.allCases.map {
            credentials.problem(bundleID: app.bundleID, environment: $0, now: now())
        }
        // Report other problems before an environment for which the certificate was not issued.
        let worst = problems.compactMap(\.self).min { left, _ in
            left.code != .certificateEnvironment
        }
        if let worst, !problems.contains(nil) {
            throw ValidationError([FieldProblem(.credential(field), worst.reason)])
        }
        return (credentials, describe(credentials))
    }

    /// The existing key, or a new one.
    private func vapidKey(of app: App) async throws -> String {
        do {
            return try await webPush(of: app.id)?.privateKey ?? VAPIDKey().privateKey
        } catch let error as CredentialError {
            // Another key would lose every browser that has subscribed.
            throw ValidationError([
                FieldProblem(.credential(.privateKey), error.reason)
            ])
        }
    }

    // MARK: Describing

    private func describe(_ credentials: APNsCredentials) -> CredentialSummary {
        switch credentials {
        case .token(let keyID, let teamID, _):
            return CredentialSummary(kind: .apnsKey, lines: [keyID, teamID])
        case .certificate(let p12, let password):
            do {
                let summary = try APNsCertificateSummary(p12: p12, password: password)
                let topics = summary.topics.filter { $0 != summary.bundleID }.sorted()
                let environments = summary.environments.map(\.rawValue).sorted()
                return CredentialSummary(
                    kind: .apnsCertificate,
                    lines: [summary.bundleID] + topics + [environments.joined(separator: " + ")],
                    expires: summary.expires,
                    warning: summary.warning(now: now())
                )
            } catch {
                return CredentialSummary(
                    kind: .apnsCertificate,
                    lines: ["p12"],
                    warning: error.reason
                )
            }
        }
    }

    private func describe(_ credentials: FCMCredentials) -> CredentialSummary {
        CredentialSummary(
            kind: .fcmAccount,
            lines: [credentials.projectID, credentials.clientEmail]
        )
    }

    private func describe(_ credentials: WebPushCredentials) -> CredentialSummary {
        let key = try? VAPIDKey(privateKey: credentials.privateKey).publicKey
        return CredentialSummary(
            kind: .vapidKey,
            lines: [key ?? "", credentials.contact, credentials.site],
            warning: credentials.problem?.reason
        )
    }
}
