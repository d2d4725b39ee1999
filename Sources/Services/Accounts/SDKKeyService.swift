import Foundation
import Model
import Ports

/// The public keys with which an app's users prove who they are.
package struct SDKKeyService: Sendable {
    package static let descriptionLimit = 255
    /// Characters of a key; one of 16,384 bits has some 2,900.
    package static let keyLimit = 8_192

    private let store: any AccountStore
    private let makeID: @Sendable () -> UUID

    package init(store: any AccountStore, makeID: @escaping @Sendable () -> UUID) {
        self.store = store
        self.makeID = makeID
    }

    /// The keys of an app, the primary one first.
    ///
    /// - Throws: `SDKKeyRefusal`.
    package func keys(
        ofApp app: String,
        in workspace: WorkspaceID
    ) async throws -> [SDKAuthentication.Key] {
        try await self.app(app, in: workspace).authentication.keys
    }

    /// Adds a key and returns its id. The first one is primary, and any other that is to be.
    ///
    /// - Throws: `SDKKeyRefusal`.
    package func add(
        _ publicKey: String,
        description: String,
        isPrimary: Bool,
        toApp app: String,
        in workspace: WorkspaceID
    ) async throws -> UUID {
        guard SDKTokenVerifier.isPublicKey(publicKey) else { throw SDKKeyRefusal.noPublicKey }
        let key = SDKAuthentication.Key(
            id: makeID(),
            publicKey: publicKey,
            description: description
        )
        _ = try await change(app, in: workspace) { keys throws(SDKKeyRefusal) in
            guard keys.count < SDKAuthentication.keyLimit else { throw .tooMany }
            guard !keys.contains(where: { $0.publicKey == publicKey }) else { throw .known }
            keys.insert(key, at: isPrimary ? 0 : keys.count)
        }
        return key.id
    }

    /// Makes a key the primary one and returns all of them.
    ///
    /// - Throws: `SDKKeyRefusal`.
    package func makePrimary(
        _ id: UUID,
        ofApp app: String,
        in workspace: WorkspaceID
    ) async throws -> [SDKAuthentication.Key] {
        try await change(app, in: workspace) { keys throws(SDKKeyRefusal) in
            guard let place = keys.firstIndex(where: { $0.id == id }) else { throw .unknown }
            keys.insert(keys.remove(at: place), at: 0)
        }
    }

    /// Removes a key and returns the others. The primary one stays, so that an app that requires
    /// tokens never has no key.
    ///
    /// - Throws: `SDKKeyRefusal`.
    package func remove(
        _ id: UUID,
        ofApp app: String,
        in workspace: WorkspaceID
    ) async throws -> [SDKAuthentication.Key] {
        try await change(app, in: workspace) { keys throws(SDKKeyRefusal) in
            guard let place = keys.firstIndex(where: { $0.id == id }) else { throw .unknown }
            guard place > 0 else { throw .primary }
            keys.remove(at: place)
        }
    }

    private func app(_ id: String, in workspace: WorkspaceID) async throws -> App {
        guard let app = try await store.app(sdkKey: id), app.workspace == workspace else {
            throw SDKKeyRefusal.noApp
        }
        return app
    }

    private func change(
        _ id: String,
        in workspace: WorkspaceID,
        _ edit: (inout [SDKAuthentication.Key]) throws(SDKKeyRefusal) -> Void
    ) async throws -> [SDKAuthentication.Key] {
        while true {
            let app = try await app(id, in: workspace)
            var changed = app.authentication
            try edit(&changed.keys)
            // Somebody else's change is read first, and then made part of this one.
            let isChanged = try await store.changeAuthentication(
                from: app.authentication,
                to: changed,
                of: app.id
            )
            if isChanged { return changed.keys }
        }
    }
}

/// Why something cannot be done with an app's keys.
package enum SDKKeyRefusal: Error, Sendable, Hashable, CaseIterable {
    case noApp, noPublicKey, tooMany, known, unknown, primary
}
