import Foundation

package struct ExportedEvent: Sendable {
    /// The bundle identifier of the app in which the event occurred.
    package var app: String?
    package var externalID: String?
    package var userID: UUID
    package var name: String
    package var time: Date
    package var properties: EventProperties

    package init(
        externalID: String?,
        userID: UUID,
        name: String,
        time: Date,
        properties: EventProperties,
        app: String? = nil
    ) {
        self.app = app
        self.externalID = externalID
        self.userID = userID
        self.name = name
        self.time = time
        self.properties = properties
    }
}
