import Foundation

/// One of the messages that a campaign tries.
package struct CampaignVariant: Sendable, Hashable, Codable {
    /// The identifier of the REST API (`message_variation_id`); it stays when the text changes.
    package var apiID: UUID
    /// What the ledger knows this text by: given by the store, never to another text of the
    /// campaign once it was sent. `nil` means its place.
    package var number: Int?
    package var name: String
    /// Its part of the users outside the control group, relative to the other weights.
    package var weight: Int
    package var message: CampaignMessage

    package init(apiID: UUID, name: String, weight: Int = 1, message: CampaignMessage) {
        self.apiID = apiID
        self.name = name
        self.weight = weight
        self.message = message
    }
}

/// A message for every platform: a common one, and others where a platform has its own.
package struct CampaignMessage: Sendable, Hashable, Codable {
    package var common: PlatformMessage
    package var ios: PlatformMessage?
    package var android: PlatformMessage?
    package var web: PlatformMessage?

    package init(
        _ common: PlatformMessage,
        ios: PlatformMessage? = nil,
        android: PlatformMessage? = nil,
        web: PlatformMessage? = nil
    ) {
        self.common = common
        self.ios = ios
        self.android = android
        self.web = web
    }

    package subscript(platform: MessagePlatform) -> PlatformMessage {
        switch platform {
        case .ios: ios ?? common
        case .android: android ?? common
        case .web: web ?? common
        }
    }
}

/// What is shown and how it travels.
package struct PlatformMessage: Sendable, Hashable, Codable {
    package var message: PushMessage
    package var options: DeliveryOptions

    package init(_ message: PushMessage, options: DeliveryOptions = DeliveryOptions()) {
        self.message = message
        self.options = options
    }
}

/// The kinds of devices a message can be written for.
package enum MessagePlatform: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of Apple's systems.
    case ios
    case android
    case web

    /// The kind of a device by the platform its SDK reports.
    package init(device platform: String) {
        switch platform.lowercased() {
        case "android": self = .android
        case "web": self = .web
        default: self = .ios
        }
    }
}
