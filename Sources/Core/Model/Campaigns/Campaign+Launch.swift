import Foundation

extension Campaign {
    /// The content of a launch of this campaign.
    package func launchContent(
        _ occurrence: String,
        audience: Audience? = nil,
        part: LaunchContext.Part = .everybody
    ) -> SendContent {
        // If all users get one variant, the launch is shown with its text.
        var shown = content.variants.first
        if case .rest(let winner, _) = part { shown = content.variants[winner] }
        let common = shown?.message.common ?? PlatformMessage(PushMessage(body: ""))
        var send = SendContent(
            message: common.message,
            audience: audience ?? content.audience,
            options: common.options,
            author: content.name
        )
        send.extraction = content.extraction == .whenScheduled ? .whenScheduled : nil
        send.messagesPerMinute = content.messagesPerMinute
        send.launch = LaunchContext(
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
