import Foundation

/// An app on one platform, with the settings for its pushes and its SDK.
package struct App: Sendable, Hashable {
    package var id: AppID
    package var workspace: WorkspaceID
    package var name: String
    package var platform: String
    /// For Apple the bundle identifier, which is the topic of its pushes; for Firebase the project.
    package var bundleID: String
    /// The key of the SDK. It ships inside the app, so it identifies the app and is not a secret.
    package var sdkKey: String
    package var authentication: SDKAuthenticationPolicy

    package init(
        id: AppID,
        workspace: WorkspaceID,
        name: String,
        platform: String,
        bundleID: String,
        sdkKey: String,
        authentication: SDKAuthenticationPolicy = SDKAuthenticationPolicy()
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.platform = platform
        self.bundleID = bundleID
        self.sdkKey = sdkKey
        self.authentication = authentication
    }
}
