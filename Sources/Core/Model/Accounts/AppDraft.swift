import Foundation

/// The data of a new app.
package struct AppDraft: Sendable, Hashable {
    package var name: String
    package var platform: String
    package var bundleID: String
    package var sdkKey: String

    package init(name: String, platform: String, bundleID: String, sdkKey: String) {
        self.name = name
        self.platform = platform
        self.bundleID = bundleID
        self.sdkKey = sdkKey
    }
}
