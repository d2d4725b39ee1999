import Foundation

/// One of a campaign's alternative messages.
package struct CampaignVariant: Sendable, Hashable, Codable {
    /// The identifier of the REST API (`message_variation_id`), which is kept when the text
    /// changes.
    package var apiID: UUID
    /// The number of this text in dispatches: assigned by the store, and never reused for another
    /// text of the campaign once it was sent. `nil` means the index.
    package var number: Int?
    package var name: String
    /// The share of users outside of the control group, relative to the other weights.
    package var weight: Int
    package var message: CampaignMessage

    package init(apiID: UUID, name: String, weight: Int = 1, message: CampaignMessage) {
        self.apiID = apiID
        self.name = name
        self.weight = weight
        self.message = message
    }
}

/// A message for every platform: a common one, and separate ones for some platforms.
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

/// The content of a message and its delivery options.
package struct PlatformMessage: Sendable, Hashable, Codable {
    package var message: PushMessage
    package var options: DeliveryOptions

    package init(_ message: PushMessage, options: DeliveryOptions = DeliveryOptions()) {
        self.message = message
        self.options = options
    }
}

/// The kinds of devices for which a message can be written.
package enum MessagePlatform: String, Sendable, Hashable, Codable, CaseIterable {
    /// All of Apple's systems.
    case ios
    case android
    case web

    /// The kind of a device, from the platform that its SDK reports.
    package init(device platform: String) {
        switch platform.lowercased() {
        case "android": self = .android
        case "web": self = .web
        default: self = .ios
        }
    }
}
