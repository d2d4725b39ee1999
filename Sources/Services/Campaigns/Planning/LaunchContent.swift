import Foundation
import Model

extension Campaign {
    /// What a launch of this campaign sends.
    func launchContent(
        _ occurrence: String,
        audience: Audience? = nil,
        part: CampaignLaunch.Part = .everybody
    ) -> SendContent {
        // Where all get one variant, the launch is shown under its text.
        var shown = content.variants.first
        if case .rest(let winner) = part { shown = content.variants[winner] }
        let common = shown?.message.common ?? PlatformMessage(PushMessage(body: ""))
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
