import Crypto
import Foundation
import Model
import Ports

/// Passkeys: keys on members' devices that open the console without a password.
///
/// A passkey is made with the password, and only where the device verifies the person, so that it
/// takes the place of password and second factor together.
package struct PasskeyService: Sendable {
    package typealias Store = PasskeyStore & SignInStore

    /// Maximum number of passkeys of a member.
    package static let limit = 20
    package static let nameLimit = 100

    private let store: any Store
    private let accounts: AccountService
    private let challenges: PasskeyChallenges
    private let now: @Sendable () -> Date

    /// - Parameter key: The key of all servers, so that a ceremony may begin at one of them and end at another;
    ///   `nil` where none begins.
    package init(
        store: any Store,
        accounts: AccountService,
        key: SymmetricKey? = nil,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.accounts = accounts
        self.now = now
        challenges = PasskeyChallenges(root: key ?? SymmetricKey(data: accounts.random(32)))
    }

    /// What an authenticator says about a new passkey.
    package struct Registration: Sendable, Codable {
        package var clientData: Data
        package var attestation: Data

        package init(clientData: Data, attestation: Data) {
            self.clientData = clientData
            self.attestation = attestation
        }
    }

    /// What an authenticator says when a passkey is used.
    package struct Assertion: Sendable, Codable {
        package var credentialID: Data
        package var clientData: Data
        package var authenticatorData: Data
        package var signature: Data
        package var userHandle: Data?

        package init(
            credentialID: Data,
            clientData: Data,
            authenticatorData: Data,
            signature: Data,
            userHandle: Data?
        ) {
            self.credentialID = credentialID
            self.clientData = clientData
            self.authenticatorData = authenticatorData
            self.signature = signature
            self.userHandle = userHandle
        }
    }

    /// The passkeys of a member; none of one whose account the actor does not reach.
    ///
    /// - Throws: `NotAllowedError` for members other than the member and administrators.
    package func passkeys(of member: MemberID, by actor: Actor) async throws -> [Passkey] {
        if !actor.isMember(member) { try actor.require(.administrator) }
        guard try await accounts.isOwnOrReached(member, by: actor) else { return [] }
        return try await store.passkeys(of: member, in: actor.workspace)
    }

    // MARK: Making one

    /// The identifier of a member for authenticators, which says nothing about them.
    package func userHandle(_ member: MemberID) -> Data {
        Data(SHA256.hash(data: Data("noroshi.member/\(member)".utf8)).prefix(16))
    }

    /// A challenge for a new passkey.
    ///
    /// - Throws: `ValidationError` if the password is wrong; `RefusalError` if it was not checked;
    ///   `NotAllowedError` to members who have too many.
    package func begin(
        by member: Member,
        password: String,
        from address: String?
    ) async throws -> Data {
        try await accounts.check(password, of: member, from: address)
        guard try await store.passkeys(of: member.id, in: member.workspace).count < Self.limit
        else { throw NotAllowedError() }
        return challenges.make(id: accounts.random(16), subject: subject(member), now: now())
    }

    /// Adds a passkey.
    ///
    /// - Throws: `PasskeyError` if it is none for this member and server.
    package func add(
        _ registration: Registration,
        name: String,
        by member: Member,
        ceremony: PasskeyCeremony
    ) async throws {
        let found = try ceremony.registered(
            clientData: registration.clientData,
            attestation: registration.attestation
        )
        try await useChallenge(of: registration.clientData, subject: subject(member))
        let trimmed = name.trimmingCharacters(in: .whitespacesAndNewlines)
        let passkey = Passkey(
            member: member.id,
            credentialID: found.credentialID,
            publicKey: found.publicKey,
            name: String((trimmed.isEmpty ? "Passkey" : trimmed).prefix(Self.nameLimit)),
            signCount: found.signCount,
            createdAt: now()
        )
        do {
            try await store.addPasskey(
                passkey,
                noting: audit("passkey_added", member, passkey.name, by: .member(member))
            )
        } catch let error as StoreError where error.code == .exists {
            throw PasskeyError.wrongUser
        }
    }

    /// - Returns: `false` if the member has no such passkey.
    /// - Throws: As ``passkeys(of:by:)``; `RefusalError` with the code `memberElsewhere`.
    package func remove(
        _ id: PasskeyID,
        of member: MemberID,
        by actor: Actor
    ) async throws -> Bool {
        if !actor.isMember(member) {
            try actor.require(.administrator)
            try await accounts.requireAccount(of: member, by: actor)
        }
        let removed = try await store.removePasskey(id, of: member, in: actor.workspace) {
            audit("passkey_removed", $0, $1.name, by: actor)
        }
        return removed != nil
    }

    // MARK: Signing in

    /// A challenge for signing in, the same for everybody.
    ///
    /// - Parameter browser: What only the asking browser knows.
    package func beginSignIn(browser: String) -> Data {
        challenges.make(id: accounts.random(16), subject: Self.subject(browser), now: now())
    }

    /// Signs in with a passkey.
    ///
    /// - Returns: `nil` if the passkey is unknown or not used rightly; which of them is not said.
    /// - Throws: `RefusalError` if it was not checked, or does not open the account.
    package func signIn(
        _ assertion: Assertion,
        browser: String,
        ceremony: PasskeyCeremony,
        from address: String?,
        userAgent: String
    ) async throws -> SignIn? {
        let quota = accounts.limits.placeQuota(address)
        if let wait = try await store.takeSignInAttempt([quota], now: now()) {
            throw accounts.limited(until: wait)
        }
        let found = try await store.passkey(credentialID: assertion.credentialID)
        do {
            guard let found, assertion.userHandle.map({ $0 == userHandle(found.member.id) }) ?? true
            else { throw PasskeyError.wrongUser }
            let count = try ceremony.used(
                clientData: assertion.clientData,
                authenticatorData: assertion.authenticatorData,
                signature: assertion.signature,
                publicKey: found.passkey.publicKey
            )
            try await useChallenge(of: assertion.clientData, subject: Self.subject(browser))
            guard try await store.usePasskey(found.passkey.id, signCount: count, at: now()) else {
                throw PasskeyError.wrongSignature
            }
            let member = try await accounts.openedByOwnWay(found.member)
            let token = try await accounts.newSession(
                of: member,
                SignInLimits.Subjects(email: member.email, address: address),
                address,
                userAgent
            )
            return SignIn(member: member, token: token)
        } catch is PasskeyError {
            try await accounts.noteFailure(at: found?.member, from: address)
            return nil
        }
    }

    private func useChallenge(of clientData: Data, subject: String) async throws {
        let text = try PasskeyCeremony.challenge(in: clientData)
        guard let challenge = Base64URL.bytes(text),
            challenges.isOpen(challenge, subject: subject, now: now()),
            try await store.takeSignInAttempt([challenges.use(of: challenge)], now: now()) == nil
        else { throw PasskeyError.wrongChallenge }
    }

    private func subject(_ member: Member) -> String { "add \(member.id)" }

    private static func subject(_ browser: String) -> String { "sign in \(browser)" }

    private func audit(
        _ action: String,
        _ member: Member,
        _ name: String,
        by actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: member.email, detail: name)
    }
}
