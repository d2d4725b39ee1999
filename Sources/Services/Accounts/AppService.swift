import Foundation
import Model
import Ports
import Reasons

/// The apps of a workspace.
package struct AppService: Sendable {
    /// Characters of a name or an identifier.
    package static let textLimit = 255
    package static let platforms = ["ios", "macos", "android", "web"]

    private let store: any AccountStore
    private let now: @Sendable () -> Date
    private let makeToken: @Sendable () -> String

    /// - Parameter makeToken: Creates unguessable tokens.
    package init(
        store: any AccountStore,
        now: @escaping @Sendable () -> Date,
        makeToken: @escaping @Sendable () -> String
    ) {
        self.store = store
        self.now = now
        self.makeToken = makeToken
    }

    package func apps(in workspace: WorkspaceID) async throws -> [App] {
        try await store.apps(in: workspace)
    }

    package func app(_ id: AppID, in workspace: WorkspaceID) async throws -> App? {
        try await store.apps(in: workspace).first { $0.id == id }
    }

    /// The app with this SDK key, in any workspace.
    package func app(sdkKey: String) async throws -> App? {
        try await store.app(sdkKey: sdkKey)
    }

    /// Number of devices of the app that name a user, and how many of them have not verified it.
    package func namedDevices(of app: App) async throws -> (all: Int, unproved: Int) {
        try await store.namedDevices(of: app.id)
    }

    /// Registers an app with a new key for its SDK.
    ///
    /// - Parameter identifier: Bundle identifier, package name or web origin.
    /// - Throws: `ValidationError` with everything that is wrong; `NotAllowedError` for actors who are not
    ///   administrators.
    package func create(
        name: String,
        platform: String,
        identifier: String,
        by actor: Actor
    ) async throws -> App {
        try actor.require(.administrator)
        var problems: [FieldProblem] = []
        for (field, text) in [(FieldPath.App.name, name), (.identifier, identifier)]
        where !(1...Self.textLimit).contains(text.count) {
            problems.append(
                FieldProblem(.app(field), .characters, ["count": "\(Self.textLimit)"])
            )
        }
        if !Self.platforms.contains(platform) {
            let known = Self.platforms.joined(separator: ", ")
            problems.append(FieldProblem(.app(.platform), .oneOf, ["known": .text(known)]))
        }
        guard problems.isEmpty else { throw ValidationError(problems) }
        return try await store.createApp(
            AppDraft(
                name: name,
                platform: platform,
                bundleID: identifier,
                sdkKey: "sdk_" + makeToken()
            ),
            in: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "app_added",
                subject: name,
                detail: identifier
            ),
            now: now()
        )
    }
}
