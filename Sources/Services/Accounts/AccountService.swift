import Crypto
import Foundation
import Model
import Ports

/// Keys, members and sign-in.
package struct AccountService: Sendable {
    /// How long a member stays signed in.
    package static let sessionLength: TimeInterval = 14 * 86_400

    private static let usePrecision: TimeInterval = 60

    private let store: any AccountStore
    private let now: @Sendable () -> Date
    private let random: @Sendable (Int) -> [UInt8]

    package init(
        store: any AccountStore,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.store = store
        self.now = now
        self.random = random
    }

    // MARK: API keys

    /// Makes a key and returns its secret, which is shown once and stored as a hash.
    ///
    /// - Throws: `StoreError` with code `exists` when the name is taken.
    package func createAPIKey(
        name: String,
        permissions: Set<String>,
        allowedAddresses: [AddressRange] = [],
        in workspace: WorkspaceID
    ) async throws -> String {
        let secret = "nrs_" + token()
        try await store.saveAPIKey(
            APIKey(
                workspace: workspace,
                name: name,
                permissions: permissions,
                allowedAddresses: allowedAddresses,
                createdAt: now()
            ),
            secretHash: Self.hash(secret)
        )
        return secret
    }

    /// The key with this secret, if there is one and it is not revoked.
    package func apiKey(secret: String) async throws -> APIKey? {
        let hash = Self.hash(secret)
        guard let key = try await store.apiKey(secretHash: hash), key.revokedAt == nil else {
            return nil
        }
        let now = now()
        // To the minute, so that requests do not each wait for the writer.
        if key.lastUsedAt.map({ now.timeIntervalSince($0) >= Self.usePrecision }) ?? true {
            try await store.noteAPIKeyUse(secretHash: hash, at: now)
        }
        return key
    }

    // MARK: Members

    package func createMember(
        name: String,
        email: String,
        password: String,
        role: Member.Role,
        in workspace: WorkspaceID
    ) async throws -> Member {
        let hash = try PasswordHash.make(password, salt: random(16))
        return try await store.createMember(
            MemberDraft(name: name, email: email, passwordHash: hash, role: role),
            in: workspace,
            now: now()
        )
    }

    /// What is stored of a password.
    func hash(ofPassword password: String) async throws -> String {
        try PasswordHash.make(password, salt: random(16))
    }

    /// Signs in: the member and the token of the new session, or `nil` for a wrong address or
    /// password.
    package func signIn(
        email: String,
        password: String
    ) async throws -> (member: Member, token: String)? {
        guard let found = try await store.memberWithPassword(email: email) else {
            // As slow as a wrong password, so that the time does not tell which addresses exist.
            _ = try PasswordHash.make(password, salt: random(16))
            return nil
        }
        guard try PasswordHash.matches(password, found.passwordHash) else { return nil }
        let token = token()
        try await store.saveConsoleSession(
            tokenHash: Self.hash(token),
            member: found.member.id,
            expiresAt: now().addingTimeInterval(Self.sessionLength)
        )
        return (found.member, token)
    }

    package func member(sessionToken: String) async throws -> Member? {
        try await store.member(consoleSession: Self.hash(sessionToken), now: now())
    }

    package func signOut(sessionToken: String) async throws {
        try await store.deleteConsoleSession(tokenHash: Self.hash(sessionToken))
    }

    // MARK: Secrets

    /// 32 random bytes in the URL-safe alphabet.
    package func token() -> String {
        Data(random(32)).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func hash(_ secret: String) -> Data {
        Data(SHA256.hash(data: Data(secret.utf8)))
    }
}
