import Foundation
import NoroshiWire

/// Everything that a page needs to draw a virtual phone.
package struct VirtualPhoneState: Sendable, Codable, Equatable {
    /// Where the app is.
    package enum AppState: String, Sendable, Codable {
        /// Not running.
        case stopped
        /// Running behind the lock screen.
        case background
        /// In front.
        case foreground
    }

    /// A notification on the lock screen.
    package struct Banner: Sendable, Codable, Equatable, Identifiable {
        /// A button below the notification.
        package struct Button: Sendable, Codable, Equatable, Identifiable {
            package var id: String
            package var title: String
            package var isDestructive: Bool
            /// The hint in the text field; `nil` for a button without one.
            package var placeholder: String?
        }

        /// The identifier of the notification.
        package var id: String
        /// The title; the app's name when the push has none.
        package var title: String
        package var subtitle: String
        package var body: String
        package var date: Date
        /// Notifications of one thread are drawn as a stack.
        package var thread: String
        package var category: String
        package var buttons: [Button]
        /// The attached file, on this machine.
        package var attachment: String?
        /// The app's own key-value pairs of the push.
        package var pairs: [String: String] = [:]
    }

    /// An in-app message over the app.
    package struct Message: Sendable, Codable, Equatable, Identifiable {
        package struct Button: Sendable, Codable, Equatable, Identifiable {
            package var id: String
            package var title: String
            /// By slot, `#AARRGGBB`.
            package var colors: [String: String]
        }

        package var id: String
        /// The wire's name of the kind, such as `slideup`.
        package var kind: String
        package var header: String
        /// The text; HTML for the kind `html`.
        package var text: String
        package var imageURL: String?
        package var imageAltText: String?
        package var isAtTop: Bool
        /// Of the light appearance by slot, `#AARRGGBB`.
        package var colors: [String: String]
        package var buttons: [Button]
        /// The whole message as the server hands it out, in JSON, for whoever draws it.
        package var wire: String

        init(_ message: InAppMessage) {
            // A message that came as JSON can be written as JSON.
            wire =
                (try? JSONEncoder().encode(message)).map { String(decoding: $0, as: UTF8.self) }
                ?? ""
            id = message.id
            kind = message.kind.rawValue
            header = message.header ?? ""
            text = message.message
            imageURL = message.imageURL
            imageAltText = message.imageAltText
            isAtTop = message.slideFrom == .top
            colors = message.themes?["light"] ?? [:]
            buttons = (message.buttons ?? []).map {
                Button(id: $0.id, title: $0.text, colors: $0.colors ?? [:])
            }
        }
    }

    /// A line of what happened, for people.
    package struct LogLine: Sendable, Codable, Equatable {
        package var date: Date
        package var text: String
    }

    /// Counts up with every change.
    package var revision = 0
    package var id: UUID
    package var name: String
    package var appName: String
    package var language: String
    package var appState = AppState.stopped
    package var isOnline = true
    /// Whether the system's question about notifications is on the screen.
    package var asksPermission = false
    /// What the user allows: `notDetermined`, `denied`, `authorized` or `provisional`.
    package var authorization = "notDetermined"
    /// The device token in hexadecimal; `nil` before the registration.
    package var deviceToken: String?
    /// The user that the app has logged in; `nil` for a nameless one.
    package var user: String?
    package var badge = 0
    /// The newest first.
    package var banners: [Banner] = []
    /// The in-app message on the screen.
    package var inAppMessage: Message?
    /// The last address that a tap has led to.
    package var lastOpenedURL: String?
    /// Records that wait for the server.
    package var pendingRecords = 0
    /// The newest last, at most 200.
    package var log: [LogLine] = []

    package init(id: UUID, name: String, appName: String, language: String) {
        self.id = id
        self.name = name
        self.appName = appName
        self.language = language
    }
}
