import Foundation
import NoroshiOutbox
import NoroshiWire

extension NoroshiAdmin {
    /// Changes of one user's profile.
    public struct Attributes: Sendable {
        /// The user, by the app's own identifier.
        public var externalID: String
        /// Standard and custom attributes; `nil` removes, `["inc": 1]` adds.
        public var values: [String: JSONValue]
        /// Whether objects are merged into the stored ones.
        public var mergesObjects: Bool
        /// Whether an unknown user is ignored instead of created.
        public var updatesExistingOnly: Bool

        /// Changes of the user `externalID`.
        public init(
            externalID: String,
            values: [String: JSONValue],
            mergesObjects: Bool = false,
            updatesExistingOnly: Bool = false
        ) {
            self.externalID = externalID
            self.values = values
            self.mergesObjects = mergesObjects
            self.updatesExistingOnly = updatesExistingOnly
        }
    }

    /// An event of a user.
    public struct Event: Sendable, Encodable {
        /// The user, by the app's own identifier.
        public var externalId: String
        /// The name of the event.
        public var name: String
        /// When it occurred.
        public var time: Date
        /// Its properties.
        public var properties: [String: JSONValue]

        /// An event of the user `externalID`.
        public init(
            externalID: String,
            name: String,
            time: Date,
            properties: [String: JSONValue] = [:]
        ) {
            externalId = externalID
            self.name = name
            self.time = time
            self.properties = properties
        }
    }

    /// A purchase of a user.
    public struct Purchase: Sendable, Encodable {
        /// The user, by the app's own identifier.
        public var externalId: String
        /// The product.
        public var productId: String
        /// A code of ISO 4217.
        public var currency: String
        /// The price of one piece.
        public var price: Double
        /// Number of pieces, 1 to 100.
        public var quantity: Int
        /// When it was bought.
        public var time: Date

        /// A purchase of the user `externalID`.
        public init(
            externalID: String,
            productID: String,
            currency: String,
            price: Double,
            quantity: Int = 1,
            time: Date
        ) {
            externalId = externalID
            productId = productID
            self.currency = currency
            self.price = price
            self.quantity = quantity
            self.time = time
        }
    }

    /// The receipt of accepted data.
    public struct TrackReceipt: Sendable, Equatable, Decodable {
        /// Number of accepted changes of profiles.
        public var attributesProcessed: Int?
        /// Number of accepted events.
        public var eventsProcessed: Int?
        /// Number of accepted purchases.
        public var purchasesProcessed: Int?
        /// The rejected elements, with reasons.
        public var errors: [NoroshiAdminProblem]?
    }

    /// Records changes of profiles, events and purchases: `POST /users/track`, at most 75 of each.
    @discardableResult
    public func track(
        attributes: [Attributes] = [],
        events: [Event] = [],
        purchases: [Purchase] = []
    ) async throws -> TrackReceipt {
        let body = TrackBody(
            attributes: attributes.map { change in
                var object = change.values
                object["external_id"] = .string(change.externalID)
                if change.mergesObjects { object["_merge_objects"] = true }
                if change.updatesExistingOnly { object["_update_existing_only"] = true }
                return .object(object)
            },
            events: events,
            purchases: purchases
        )
        return try await post("users/track", body)
    }

    private struct TrackBody: Encodable {
        var attributes: [JSONValue]
        var events: [Event]
        var purchases: [Purchase]
    }
}
