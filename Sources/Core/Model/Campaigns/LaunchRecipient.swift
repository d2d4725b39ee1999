import Foundation

/// A user whom a request names, and what it says of them.
package struct LaunchRecipient: Sendable {
    package var user: UserReference
    /// Stored before the send is made; it makes a user who is unknown, if it may.
    package var item: IngestItem?
    package var properties: DispatchProperties
    /// Its place in the request.
    package var index = 0

    package init(
        user: UserReference,
        item: IngestItem? = nil,
        properties: DispatchProperties = DispatchProperties()
    ) {
        self.user = user
        self.item = item
        self.properties = properties
    }
}
