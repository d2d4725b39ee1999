import APNs
import Accounts
import Console
import Foundation
import Model
import Ports
import PushHTTP

/// Apps with their credentials, API keys and the team, for the console's settings.
struct SettingsAdapter: AppPages, KeyPages, TeamPages {
    let store: any Store
    let accounts: AccountService
    let credentials: CredentialDesk
    let providers: PushProviders
    /// What keys of the REST API may be allowed.
    let permissions: [String]
    let now: @Sendable () -> Date

    // MARK: Apps

    func apps(for member: ConsoleMember) async throws -> [AppSettings] {
        var settings: [AppSettings] = []
        for app in try await store.apps(in: WorkspaceID(member.workspaceID)) {
            var proof = UserProof()
            proof.mode = UserProof.Mode(rawValue: app.authentication.mode.rawValue) ?? .disabled
            (proof.devices, proof.unproved) = try await store.namedDevices(of: app.id)
            settings.append(
                AppSettings(
                    id: app.id.rawValue,
                    name: app.name,
                    platform: AppPlatform(rawValue: app.platform) ?? .ios,
                    identifier: app.bundleID,
                    sdkKey: app.sdkKey,
                    credentials: try await credentials.facts(of: app).map(CredentialSummary.init),
                    proof: proof
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
        do {
            switch upload {
            case .apnsKey(let p8, let keyID, let teamID):
                let credentials = APNsCredentials.token(
                    keyID: keyID,
                    teamID: teamID,
                    privateKeyPEM: String(decoding: p8, as: UTF8.self)
                )
                try await self.credentials.save(credentials, of: app)
            case .apnsCertificate(let p12, let password):
                let credentials = APNsCredentials.certificate(
                    p12: Array(p12),
                    password: password.isEmpty ? nil : password
                )
                try await self.credentials.save(credentials, of: app)
            case .fcmAccount(let json):
                try await credentials.save(serviceAccount: json, of: app)
            case .vapidKey(let privateKey, let contact, let site):
                try await credentials.saveVAPID(
                    privateKey: privateKey,
                    contact: contact,
                    site: site,
                    of: app
                )
            }
        } catch let problem as CredentialProblem {
            throw SettingsRejected(field: problem.field, text: problem.description)
        }
        providers.forgetCredentials(of: app)
    }

    func testCredentials(
        app id: Int64,
        for member: ConsoleMember
    ) async throws -> [CredentialResult] {
        let apps = try await store.apps(in: WorkspaceID(member.workspaceID))
        guard let app = apps.first(where: { $0.id == AppID(id) }) else { return [] }
        return try await providers.test(app).map { trial in
            switch trial.result {
            case .works:
                CredentialResult(target: trial.target, verdict: .works, detail: "")
            case .refused(let reason, let advice):
                CredentialResult(
                    target: trial.target,
                    verdict: .refused,
                    detail: "\(reason): \(advice)"
                )
            case .unanswered(let reason):
                CredentialResult(target: trial.target, verdict: .unanswered, detail: reason)
            }
        }
    }

    func credentialWarnings(for member: ConsoleMember) async throws -> [CredentialWarning] {
        try await credentials.warnings(in: WorkspaceID(member.workspaceID)).map {
            CredentialWarning(app: $0.app.name, text: $0.text)
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
                    addresses: $0.allowedAddresses.map(\.description),
                    createdAt: $0.createdAt,
                    lastUsedAt: $0.lastUsedAt
                )
            }
    }

    func apiPermissions() -> [String] { permissions + ["*"] }

    func createAPIKey(
        name: String,
        permissions: [String],
        addresses: [String],
        for member: ConsoleMember
    ) async throws -> String {
        let ranges = try addresses.map { address in
            guard let range = AddressRange(address) else {
                throw SettingsRejected(
                    field: "addresses",
                    text: "'\(address)' is no internet address or range such as 10.0.0.0/8"
                )
            }
            return range
        }
        do {
            return try await accounts.createAPIKey(
                name: name,
                permissions: Set(permissions).intersection(apiPermissions()),
                allowedAddresses: ranges,
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
                role: $0.role,
                lastSignedInAt: $0.lastSignedInAt
            )
        }
    }

    func addMember(
        name: String,
        email: String,
        password: String,
        role: Member.Role,
        for member: ConsoleMember
    ) async throws {
        do {
            _ = try await accounts.createMember(
                name: name,
                email: email,
                password: password,
                role: role,
                in: WorkspaceID(member.workspaceID)
            )
        } catch is PasswordHasher.Busy {
            throw SettingsRejected(
                field: "password",
                text: "Too many passwords are being looked at. Try again in a few seconds."
            )
        } catch let error as StoreError where error.code == .exists {
            throw SettingsRejected(field: "email", text: error.message)
        }
    }

    func setRole(
        _ role: Member.Role,
        ofMember id: Int64,
        for member: ConsoleMember
    ) async throws -> Bool {
        try await store.setRole(
            role,
            of: MemberID(id),
            in: WorkspaceID(member.workspaceID)
        )
    }

    func removeMember(id: Int64, for member: ConsoleMember) async throws -> Bool {
        try await store.deleteMember(MemberID(id), in: WorkspaceID(member.workspaceID))
    }
}

extension CredentialSummary {
    fileprivate init(_ facts: CredentialFacts) {
        let kind: Kind =
            switch facts.kind {
            case .apnsKey: .apnsKey
            case .apnsCertificate: .apnsCertificate
            case .fcmAccount: .fcmAccount
            case .vapidKey: .vapidKey
            }
        self.init(
            kind: kind,
            description: facts.lines.joined(separator: ", "),
            expiresAt: facts.expires,
            warning: facts.warning
        )
    }
}
