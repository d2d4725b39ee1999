import Foundation
import NoroshiWire

/// What one client has to tell.
package struct IngestRequest: Sendable {
    package enum Source: Sendable {
        /// An installation of an app; the user of the last item is the one who is logged in.
        case device(SDKDevice, app: AppID)
        case api
    }

    package var workspace: WorkspaceID
    package var source: Source
    package var items: [IngestItem]
    /// The user whom a signed token that came along names; the device is proved to be this user's.
    package var provedUser: UserReference?
    /// The size of the request it came in; what waits is limited by it too.
    package var bytes: Int

    package init(
        workspace: WorkspaceID,
        source: Source,
        items: [IngestItem],
        provedUser: UserReference? = nil,
        bytes: Int = 0
    ) {
        self.workspace = workspace
        self.source = source
        self.items = items
        self.provedUser = provedUser
        self.bytes = bytes
    }
}
