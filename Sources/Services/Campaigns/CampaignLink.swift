import Model

/// The target of a tap on a campaign's message.
package struct CampaignLink: Sendable, Hashable {
    /// The platform of the message; `nil` for the common message.
    package var platform: MessagePlatform?
    /// The button's action, or `page_1` and so on for a page of a push story; `nil` for the message
    /// itself.
    package var action: String?
    /// The link as written; it may be a template.
    package var url: String
}

extension CampaignVariant {
    /// The links of all messages.
    package var links: [CampaignLink] {
        let messages: [(platform: MessagePlatform?, message: PlatformMessage?)] = [
            (nil, message.common), (.ios, message.ios), (.android, message.android),
            (.web, message.web),
        ]
        return messages.flatMap { platform, message in
            guard let message = message?.message else { return [CampaignLink]() }
            let own = message.uri.map { CampaignLink(platform: platform, action: nil, url: $0) }
            let pages = (message.story ?? []).enumerated().compactMap { index, page in
                page.uri.map {
                    CampaignLink(platform: platform, action: "page_\(index + 1)", url: $0)
                }
            }
            return [own].compactMap(\.self) + pages
                + message.buttons.compactMap { button in
                    button.uri.map {
                        CampaignLink(platform: platform, action: button.actionID, url: $0)
                    }
                }
        }
    }
}
