import Foundation
import Model
import NoroshiWire
import Ports
import Relational

/// Stores push tokens that a server imports.
struct PushTokenWriter {
    private let workspace: WorkspaceID
    private let now: Date
    private let database: Database

    init(_ workspace: WorkspaceID, now: Date, _ database: Database) {
        self.workspace = workspace
        self.now = now
        self.database = database
    }

    /// Whether one of the tokens already belongs to a device.
    func containsAny(of tokens: [ImportedPushToken]) throws -> Bool {
        try tokens.contains { token in
            guard let app = try app(token.app) else { return false }
            return try device(of: token, app) != nil
        }
    }

    /// Stores the tokens for a user.
    ///
    /// - Returns: The tokens that cannot be stored, with the reason.
    func store(
        _ tokens: [ImportedPushToken],
        for profile: ProfileID
    ) throws -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for token in tokens {
            if let problem = try store(token, for: profile) {
                problems.append(problem.within("push_tokens.\(token.index)"))
            }
        }
        return problems
    }

    private func store(
        _ token: ImportedPushToken,
        for profile: ProfileID
    ) throws -> FieldProblem? {
        guard let app = try app(token.app) else {
            return FieldProblem("app_id", .noApp)
        }
        let provider: PushProvider
        switch app.platform {
        case "ios":
            guard token.token.allSatisfy(\.isHexDigit) else {
                return FieldProblem("token", .hexToken)
            }
            provider = .apns
        case "android": provider = .fcm
        default:
            return FieldProblem("token", .webToken)
        }
        if let device = try device(of: token, app) {
            try database.cachedStatement(
                sql: """
                    UPDATE devices SET profile_id = :profile, proved_for = :profile,
                        updated_at = :now WHERE id = :id
                    """
            ).execute(arguments: [
                "profile": profile.rawValue, "now": now.milliseconds, "id": device,
            ])
            return nil
        }
        let writer = try DeviceWriter(
            SDKDevice(id: token.installation, platform: app.platform),
            app: app.id,
            workspace: workspace,
            profile: profile,
            // The import is authenticated by an API key.
            isProved: true,
            now: now,
            database
        )
        try writer.register(
            PushRegistration(
                provider: provider,
                token: provider == .apns ? token.token.lowercased() : token.token,
                environment: provider == .apns ? .production : nil,
                authorization: .authorized,
                publicKey: nil,
                authenticationSecret: nil,
                registeredAt: now
            ),
            for: profile
        )
        return nil
    }

    private func app(_ name: String) throws -> (id: AppID, platform: String)? {
        try NamedApps.find(name, in: workspace, database)
    }

    private func device(
        of token: ImportedPushToken,
        _ app: (id: AppID, platform: String)
    ) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT id FROM devices WHERE push_token = ? AND app_id = ?"
            ),
            arguments: [
                app.platform == "ios" ? token.token.lowercased() : token.token, app.id.rawValue,
            ]
        )
    }
}
