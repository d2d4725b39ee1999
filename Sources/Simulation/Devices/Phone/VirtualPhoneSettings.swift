import Foundation
import NoroshiOutbox

/// The properties of a virtual phone and its app.
package struct VirtualPhoneSettings: Sendable {
    /// The user's answer when the app asks for permission to send notifications.
    package enum PermissionAnswer: Sendable {
        case allowAtOnce
        case denyAtOnce
        /// The question stays on the screen until `VirtualPhoneAction.answerPermission`.
        case wait
    }

    /// The id of the phone; the same id and folder recreate the same phone.
    package var id: UUID
    package var name: String
    package var appName: String
    /// The app's bundle identifier, the topic of its pushes.
    package var topic: String
    /// The app's SDK key.
    package var apiKey: String
    /// The server's address.
    package var endpoint: String
    /// The folder that serves as the App Group's container.
    package var container: URL
    package var language = "en"
    package var timeZone = "Asia/Tokyo"
    package var permission = PermissionAnswer.allowAtOnce
    /// The user that the app logs in at its first start.
    package var user: String?
    /// Maximum delay between a record and the request that sends it, in seconds.
    package var flushInterval: TimeInterval = 1
    /// Timeout of a service extension, in seconds.
    package var serviceExtensionTime: TimeInterval = 30
    /// The waits of the SDK and of the app's extensions.
    package var sleep: (@Sendable (TimeInterval) async throws -> Void)?
    /// Sends the SDK's requests.
    package var transport: any NoroshiTransport = URLSessionTransport()

    package init(
        id: UUID,
        name: String,
        appName: String,
        topic: String,
        apiKey: String,
        endpoint: String,
        container: URL
    ) {
        self.id = id
        self.name = name
        self.appName = appName
        self.topic = topic
        self.apiKey = apiKey
        self.endpoint = endpoint
        self.container = container
    }
}
