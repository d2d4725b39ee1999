import Foundation

/// A user whom a request names, with the request's data about that user.
package struct LaunchRecipient: Sendable {
    package var user: UserReference
    /// Stored before the send is created; creates an unknown user if permitted.
    package var item: IngestItem?
    package var properties: MessageProperties
    /// The index in the request.
    package var index = 0

    package init(
        user: UserReference,
        item: IngestItem? = nil,
        properties: MessageProperties = MessageProperties()
    ) {
        self.user = user
        self.item = item
        self.properties = properties
    }
}
