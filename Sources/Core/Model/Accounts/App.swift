import Foundation

/// One app on one platform: where its pushes go and the key its SDK uses.
package struct App: Sendable, Hashable {
    package var id: AppID
    package var workspace: WorkspaceID
    package var name: String
    package var platform: String
    /// Apple: the bundle identifier, which is the topic of its pushes. Firebase: the project.
    package var bundleID: String
    /// Ships inside the app, so it is an address rather than a secret.
    package var sdkKey: String
    package var authentication: SDKAuthentication

    package init(
        id: AppID,
        workspace: WorkspaceID,
        name: String,
        platform: String,
        bundleID: String,
        sdkKey: String,
        authentication: SDKAuthentication = SDKAuthentication()
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
