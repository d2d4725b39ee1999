import Foundation
import NoroshiWire

/// The complete state that a page needs to draw a virtual phone.
package struct VirtualPhoneState: Sendable, Codable, Equatable {
    /// The state of the app.
    package enum AppState: String, Sendable, Codable {
        /// Not running.
        case stopped
        /// Running in the background.
        case background
        /// In the foreground.
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
        /// The title; the app's name if the push has none.
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
        /// The pages of a push story; `nil` for an ordinary push.
        package var story: Story?
        /// What the content extension shows; `nil` unless the notification is expanded.
        package var content: ContentElement?

        /// A push story as the expanded notification shows it.
        package struct Story: Sendable, Codable, Equatable {
            package struct Page: Sendable, Codable, Equatable {
                package var title: String
                package var subtitle: String
                /// The address of the picture.
                package var image: String
                /// The file of the picture, on this machine; `nil` if there is none.
                package var picture: String?
            }

            package var pages: [Page]
            /// The visible page, from 1.
            package var number: Int
            /// Whether the pages turn by themselves.
            package var isAdvancing: Bool
        }
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
        /// The kind's name on the wire, such as `slideup`.
        package var kind: String
        package var header: String
        /// The text; HTML for the kind `html`.
        package var text: String
        package var imageURL: String?
        package var imageAltText: String?
        package var isAtTop: Bool
        /// The colors of the light appearance by slot, `#AARRGGBB`.
        package var colors: [String: String]
        package var buttons: [Button]
        /// The whole message as JSON, as sent by the server, for the renderer.
        package var wire: String

        init(_ message: InAppMessage) {
            // A message decoded from JSON can be encoded again.
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

    /// The shop in the app.
    package struct Shop: Sendable, Codable, Equatable {
        package struct Tea: Sendable, Codable, Equatable {
            package var name: String
            package var price: Double
        }

        package static let menu = [
            Tea(name: "Sencha", price: 6.5), Tea(name: "Assam", price: 5),
            Tea(name: "Mate", price: 4.5),
        ]
        /// ISO 4217.
        package static let currency = "USD"

        /// The tea that was looked at last; `nil` for none.
        package var viewed: String?
        package var cart: [Tea] = []

        package var total: Double { cart.reduce(0) { $0 + $1.price } }
    }

    /// A readable line of the log.
    package struct LogLine: Sendable, Codable, Equatable {
        package var date: Date
        package var text: String
    }

    /// Increases with every change.
    package var revision = 0
    package var id: UUID
    package var name: String
    package var appName: String
    package var language: String
    package var appState = AppState.stopped
    package var isOnline = true
    /// Whether the system's permission prompt is on the screen.
    package var asksPermission = false
    /// The user's authorization: `notDetermined`, `denied`, `authorized` or `provisional`.
    package var authorization = "notDetermined"
    /// The device token in hexadecimal; `nil` before the registration.
    package var deviceToken: String?
    /// The logged-in user; `nil` for an anonymous one.
    package var user: String?
    package var badge = 0
    /// The newest first.
    package var banners: [Banner] = []
    /// The in-app message on the screen.
    package var inAppMessage: Message?
    package var shop = Shop()
    /// The last link opened by a tap.
    package var lastOpenedURL: String?
    /// Number of records waiting for the server.
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
