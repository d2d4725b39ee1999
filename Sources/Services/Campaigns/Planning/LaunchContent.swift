import Foundation
import Model

extension Campaign {
    /// What a launch of this campaign sends.
    func launchContent(
        _ occurrence: String,
        audience: Audience? = nil,
        part: CampaignLaunch.Part = .everybody
    ) -> SendContent {
        let common =
            content.variants.first?.message.common ?? PlatformMessage(PushMessage(body: ""))
        var send = SendContent(
            message: common.message,
            audience: audience ?? content.audience,
            options: common.options,
            author: content.name
        )
        send.extraction = content.extraction == .frozen ? .frozen : nil
        send.messagesPerMinute = content.messagesPerMinute
        send.launch = CampaignLaunch(
            campaign: id,
            apiID: apiID,
            occurrence: occurrence,
            content: content,
            part: part,
            activatedAt: activatedAt ?? createdAt
        )
        return send
    }
}
