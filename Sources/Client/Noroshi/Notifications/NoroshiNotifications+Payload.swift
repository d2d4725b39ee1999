import Foundation
import NoroshiOutbox
import NoroshiWire

extension NoroshiNotifications {
    /// A notification that has arrived or was opened.
    public struct Payload: Sendable, Equatable {
        /// The event.
        public enum Kind: String, Sendable {
            /// The device has received it.
            case received
            /// The user has tapped it.
            case opened
        }

        /// The event.
        public var type: Kind
        /// The title; `nil` if it has none.
        public var title: String?
        /// The subtitle; `nil` if it has none.
        public var subtitle: String?
        /// The text; `nil` if it has none.
        public var body: String?
        /// The number for the app's icon; `nil` leaves it unchanged.
        public var badge: Int?
        /// The dispatch id, the same in every retry of a push.
        public var dispatchID: UUID
        /// The number of the send; `nil` if the payload has none.
        public var pushNumber: Int?
        /// The link of the notification; `nil` if it has none.
        public var urlContext: NoroshiURLContext?
        /// The button that was tapped; `nil` for the notification itself.
        public var actionIdentifier: String?
        /// The page of a push story that was tapped, from 1; `nil` for the notification itself.
        public var storyPage: Int?
        /// Whether it wakes the app without showing anything.
        public var isSilent: Bool
        /// The app's own key-value pairs and the strings `push_no`, `url`, `news_id`.
        public var extras: [String: JSONValue]

        init(
            _ payload: PushPayload,
            type: Kind,
            action: String?,
            page: Int? = nil,
            userInfo: [AnyHashable: Any]
        ) {
            self.type = type
            let alert = payload.aps?["alert"]
            title = alert?["title"]?.stringValue ?? payload.values["title"]?.stringValue
            subtitle = alert?["subtitle"]?.stringValue
            body =
                alert?["body"]?.stringValue ?? alert?.stringValue
                ?? payload.values["body"]?.stringValue
            badge = payload.aps?["badge"]?.integerValue.map(Int.init)
            dispatchID = payload.dispatch
            pushNumber = payload.pushNumber.map(Int.init)
            actionIdentifier = action
            storyPage = page
            isSilent = payload.isSilent
            extras = payload.values
            let address =
                action.flatMap { payload.actionURIs[$0] } ?? payload.address(onPage: page)
            urlContext = address.map {
                NoroshiURLContext(
                    url: $0,
                    useWebView: payload.useWebView,
                    extras: payload.values
                )
            }
        }
    }
}
