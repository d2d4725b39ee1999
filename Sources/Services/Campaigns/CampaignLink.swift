import Model

/// Where a tap on a campaign's message leads.
package struct CampaignLink: Sendable, Hashable {
    /// Whose message has it; `nil` for the one that platforms without their own get.
    package var platform: MessagePlatform?
    /// The button's action; `nil` for the message itself.
    package var action: String?
    /// As it was written; it may be a template.
    package var url: String
}

extension CampaignVariant {
    /// The links of all of its messages.
    package var links: [CampaignLink] {
        let messages: [(platform: MessagePlatform?, message: PlatformMessage?)] = [
            (nil, message.common), (.ios, message.ios), (.android, message.android),
            (.web, message.web),
        ]
        return messages.flatMap { platform, message in
            guard let message = message?.message else { return [CampaignLink]() }
            let own = message.uri.map { CampaignLink(platform: platform, action: nil, url: $0) }
            return [own].compactMap(\.self)
                + message.buttons.compactMap { button in
                    button.uri.map {
                        CampaignLink(platform: platform, action: button.actionID, url: $0)
                    }
                }
        }
    }
}
