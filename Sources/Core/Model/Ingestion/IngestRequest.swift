import Foundation
import NoroshiWire

/// The items that one client sends together.
package struct IngestRequest: Sendable {
    package enum Source: Sendable {
        /// An installation of an app; the user of the last item is the logged-in one.
        case device(SDKDevice, app: AppID)
        case api
    }

    package var workspace: WorkspaceID
    package var source: Source
    package var items: [IngestItem]
    /// The user named by the request's signed token, for whom the device is then verified.
    package var provedUser: UserReference?
    /// Size of the original request in bytes, which also limits the queue.
    package var bytes: Int
    /// Who made the request, where a person did; written with it once something of it is stored.
    package var audit: AuditRecord?

    package init(
        workspace: WorkspaceID,
        source: Source,
        items: [IngestItem],
        provedUser: UserReference? = nil,
        bytes: Int = 0,
        audit: AuditRecord? = nil
    ) {
        self.workspace = workspace
        self.source = source
        self.items = items
        self.provedUser = provedUser
        self.bytes = bytes
        self.audit = audit
    }
}
