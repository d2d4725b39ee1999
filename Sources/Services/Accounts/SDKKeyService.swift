import Foundation
import Model
import Ports

/// The authentication of an app's users: whether it is required, and the public keys.
package struct SDKKeyService: Sendable {
    package static let descriptionLimit = 255
    /// Characters of a key; one of 16,384 bits has some 2,900.
    package static let keyLimit = 8_192

    private let store: any AccountStore
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any AccountStore,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    /// The mode of an app and its keys, the primary one first.
    ///
    /// - Throws: `ValidationError`.
    package func policy(
        ofApp app: String,
        in workspace: WorkspaceID
    ) async throws -> SDKAuthenticationPolicy {
        try await self.app(app, in: workspace).authentication
    }

    /// Sets the authentication mode and replaces all keys.
    ///
    /// - Parameter keys: Keys in PEM, each with a description.
    /// - Throws: `ValidationError`, also for a mode that verifies tokens without a key to do it with;
    ///   `NotAllowedError` for actors who are not administrators.
    package func set(
        _ mode: SDKAuthenticationPolicy.Mode,
        keys: [(publicKey: String, description: String)],
        ofApp app: String,
        by actor: Actor
    ) async throws {
        guard keys.allSatisfy({ SDKTokenVerifier.isPublicKey($0.publicKey) }) else {
            throw ValidationError(.sdkKey(.publicKey), .noPublicKey)
        }
        guard keys.count <= SDKAuthenticationPolicy.keyLimit else { throw Self.tooMany }
        let keys = keys.map {
            SDKAuthenticationPolicy.Key(
                id: makeID(),
                publicKey: $0.publicKey,
                description: $0.description
            )
        }
        _ = try await change(app, by: actor) { authentication throws(ValidationError) in
            authentication = SDKAuthenticationPolicy(mode: mode, keys: keys)
        }
    }

    /// Changes how tokens are handled and keeps the keys.
    ///
    /// - Throws: As ``set(_:keys:ofApp:by:)``.
    package func change(
        to mode: SDKAuthenticationPolicy.Mode,
        ofApp app: String,
        by actor: Actor
    ) async throws -> SDKAuthenticationPolicy {
        try await change(app, by: actor) { authentication throws(ValidationError) in
            authentication.mode = mode
        }
    }

    /// Adds a key and returns its id. The first key becomes primary, as does any later key with
    /// `isPrimary`.
    ///
    /// - Throws: As ``set(_:keys:ofApp:by:)``.
    package func add(
        _ publicKey: String,
        description: String,
        isPrimary: Bool,
        toApp app: String,
        by actor: Actor
    ) async throws -> UUID {
        guard publicKey.count <= Self.keyLimit, SDKTokenVerifier.isPublicKey(publicKey) else {
            throw ValidationError(.sdkKey(.publicKey), .noPublicKey)
        }
        guard (1...Self.descriptionLimit).contains(description.count) else {
            throw ValidationError(
                .sdkKey(.description),
                .characters,
                ["count": "\(Self.descriptionLimit)"]
            )
        }
        let key = SDKAuthenticationPolicy.Key(
            id: makeID(),
            publicKey: publicKey,
            description: description
        )
        _ = try await change(app, by: actor) { authentication throws(ValidationError) in
            let keys = authentication.keys
            guard keys.count < SDKAuthenticationPolicy.keyLimit else { throw Self.tooMany }
            guard !keys.contains(where: { Self.areEqual($0.publicKey, publicKey) }) else {
                throw ValidationError(.sdkKey(.publicKey), .keyKnown)
            }
            authentication.keys.insert(key, at: isPrimary ? 0 : keys.count)
        }
        return key.id
    }

    /// Makes a key the primary one and returns the policy with all of them.
    ///
    /// - Throws: As ``set(_:keys:ofApp:by:)``.
    package func makePrimary(
        _ id: UUID,
        ofApp app: String,
        by actor: Actor
    ) async throws -> SDKAuthenticationPolicy {
        try await change(app, by: actor) { authentication throws(ValidationError) in
            guard let place = authentication.keys.firstIndex(where: { $0.id == id }) else {
                throw ValidationError(.sdkKey(.id), .noKeyOfApp)
            }
            authentication.keys.insert(authentication.keys.remove(at: place), at: 0)
        }
    }

    /// Removes a key and returns the policy with the others. The primary key cannot be removed, so that an app that
    /// requires tokens always has a key.
    ///
    /// - Throws: As ``set(_:keys:ofApp:by:)``.
    package func remove(
        _ id: UUID,
        ofApp app: String,
        by actor: Actor
    ) async throws -> SDKAuthenticationPolicy {
        try await change(app, by: actor) { authentication throws(ValidationError) in
            guard let place = authentication.keys.firstIndex(where: { $0.id == id }) else {
                throw ValidationError(.sdkKey(.id), .noKeyOfApp)
            }
            guard place > 0 else { throw ValidationError(.sdkKey(.id), .primaryKey) }
            authentication.keys.remove(at: place)
        }
    }

    private static let tooMany = ValidationError(
        .sdkKey(.app),
        .mostKeys,
        ["count": "\(SDKAuthenticationPolicy.keyLimit)"]
    )

    /// Whether two texts in PEM hold the same key, however their lines end.
    private static func areEqual(_ first: String, _ second: String) -> Bool {
        first.filter { !$0.isWhitespace } == second.filter { !$0.isWhitespace }
    }

    private func app(_ id: String, in workspace: WorkspaceID) async throws -> App {
        guard let app = try await store.app(sdkKey: id), app.workspace == workspace else {
            throw ValidationError(.sdkKey(.app), .noSDKApp)
        }
        return app
    }

    private func change(
        _ id: String,
        by actor: Actor,
        _ edit: (inout SDKAuthenticationPolicy) throws(ValidationError) -> Void
    ) async throws -> SDKAuthenticationPolicy {
        try actor.require(.administrator)
        while true {
            let app = try await app(id, in: actor.workspace)
            var changed = app.authentication
            try edit(&changed)
            guard changed.mode == .disabled || !changed.keys.isEmpty else {
                throw ValidationError(.sdkKey(.mode), .needsPublicKey)
            }
            // A concurrent change is read first and then combined with this one.
            let isChanged = try await store.changeAuthentication(
                from: app.authentication,
                to: changed,
                of: app.id,
                noting: AuditRecord(
                    at: now(),
                    by: actor,
                    action: "authentication_changed",
                    subject: app.name,
                    detail: ([changed.mode.rawValue] + changed.keys.map(\.description))
                        .joined(separator: ", ")
                )
            )
            if isChanged { return changed }
        }
    }
}
