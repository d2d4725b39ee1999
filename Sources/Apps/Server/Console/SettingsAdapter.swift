import APNs
import Accounts
import Console
import Foundation
import Model
import Ports

/// Apps with their credentials, API keys and the team, for the console's settings.
struct SettingsAdapter: AppPages, KeyPages, TeamPages {
    let store: any Store
    let accounts: AccountService
    let vault: CredentialVault
    let now: @Sendable () -> Date

    // MARK: Apps

    func apps(for member: ConsoleMember) async throws -> [AppSettings] {
        var settings: [AppSettings] = []
        for app in try await store.apps(in: WorkspaceID(member.workspaceID)) {
            settings.append(
                AppSettings(
                    id: app.id.rawValue,
                    name: app.name,
                    platform: AppPlatform(rawValue: app.platform) ?? .ios,
                    identifier: app.bundleID,
                    sdkKey: app.sdkKey,
                    credentials: try await credentials(of: app)
                )
            )
        }
        return settings
    }

    func addApp(_ draft: NewApp, for member: ConsoleMember) async throws {
        do {
            _ = try await store.createApp(
                AppDraft(
                    name: draft.name,
                    platform: draft.platform.rawValue,
                    bundleID: draft.identifier,
                    sdkKey: "sdk_" + accounts.token()
                ),
                in: WorkspaceID(member.workspaceID),
                now: now()
            )
        } catch let error as StoreError where error.code == .exists {
            throw SettingsRejected(field: "name", text: error.message)
        }
    }

    func saveCredentials(
        _ upload: CredentialUpload,
        app id: Int64,
        for member: ConsoleMember
    ) async throws {
        let apps = try await store.apps(in: WorkspaceID(member.workspaceID))
        guard let app = apps.first(where: { $0.id == AppID(id) }) else {
            throw SettingsRejected(field: "kind", text: "This app is not there any more.")
        }
        switch upload {
        case .apnsKey(let p8, let keyID, let teamID):
            let stored = APNsCredentials.token(
                keyID: keyID,
                teamID: teamID,
                privateKeyPEM: String(decoding: p8, as: UTF8.self)
            )
            try await save(stored, of: app, field: "p8")
        case .apnsCertificate(let p12, let password):
            let stored = APNsCredentials.certificate(
                p12: Array(p12),
                password: password.isEmpty ? nil : password
            )
            try await save(stored, of: app, field: "p12")
        case .fcmAccount:
            throw SettingsRejected(
                field: "json",
                text: "This server does not send to Firebase yet."
            )
        }
    }

    /// Saves what works in at least one of Apple's environments.
    private func save(
        _ stored: APNsCredentials,
        of app: App,
        field: String
    ) async throws {
        let problems = APNsEnvironment.allCases.map {
            stored.problem(bundleID: app.bundleID, environment: $0, now: now())
        }
        // An environment that a certificate is not for says so; another problem comes first.
        let worst = problems.compactMap(\.self).min { left, _ in
            left.reason != "BadCertificateEnvironment"
        }
        if let worst, !problems.contains(nil) {
            throw SettingsRejected(field: field, text: worst.description)
        }
        try await vault.save(stored, app: app.id, provider: .apns)
    }

    private func credentials(of app: App) async throws -> [CredentialSummary] {
        let stored = try await vault.credentials(
            APNsCredentials.self,
            app: app.id,
            provider: .apns
        )
        switch stored {
        case nil:
            return []
        case .token(let keyID, let teamID, _):
            return [
                CredentialSummary(
                    kind: .apnsKey,
                    description: "\(keyID), \(teamID)",
                    expiresAt: nil
                )
            ]
        case .certificate(let p12, let password):
            let summary = try? APNsCertificateSummary(p12: p12, password: password)
            let environments = summary?.environments.map(\.rawValue).sorted() ?? []
            let parts = [summary?.bundleID ?? "p12"] + environments
            return [
                CredentialSummary(
                    kind: .apnsCertificate,
                    description: parts.joined(separator: ", "),
                    expiresAt: summary?.expires
                )
            ]
        }
    }

    // MARK: API keys

    func apiKeys(for member: ConsoleMember) async throws -> [APIKeyRow] {
        try await store.apiKeys(in: WorkspaceID(member.workspaceID))
            .filter { $0.revokedAt == nil }
            .map {
                APIKeyRow(
                    name: $0.name,
                    permissions: $0.permissions.sorted(),
                    createdAt: $0.createdAt,
                    lastUsedAt: nil
                )
            }
    }

    /// The endpoints that this server has, and `*` for all, those to come included.
    func apiPermissions() -> [String] { ["users.track", "messages.send", "*"] }

    func createAPIKey(
        name: String,
        permissions: [String],
        for member: ConsoleMember
    ) async throws -> String {
        do {
            return try await accounts.createAPIKey(
                name: name,
                permissions: Set(permissions).intersection(apiPermissions()),
                in: WorkspaceID(member.workspaceID)
            )
        } catch let error as StoreError where error.code == .exists {
            throw SettingsRejected(field: "name", text: error.message)
        }
    }

    func revokeAPIKey(name: String, for member: ConsoleMember) async throws {
        _ = try await store.revokeAPIKey(
            named: name,
            in: WorkspaceID(member.workspaceID),
            now: now()
        )
    }

    // MARK: Team

    func members(for member: ConsoleMember) async throws -> [TeamMember] {
        try await store.members(in: WorkspaceID(member.workspaceID)).map {
            TeamMember(
                id: $0.id.rawValue,
                name: $0.name,
                email: $0.email,
                role: MemberRole($0.role),
                lastSeenAt: nil
            )
        }
    }

    func addMember(
        name: String,
        email: String,
        password: String,
        role: MemberRole,
        for member: ConsoleMember
    ) async throws {
        do {
            _ = try await accounts.createMember(
                name: name,
                email: email,
                password: password,
                role: Member.Role(role),
                in: WorkspaceID(member.workspaceID)
            )
        } catch let error as StoreError where error.code == .exists {
            throw SettingsRejected(field: "email", text: error.message)
        }
    }
}

extension Member.Role {
    fileprivate init(_ role: MemberRole) {
        switch role {
        case .viewer: self = .viewer
        case .marketer: self = .marketer
        case .administrator: self = .administrator
        }
    }
}
