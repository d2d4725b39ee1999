import Foundation
import Model

extension SendContent {
    /// The common message of each variant that users of a launch get; for any other send, its
    /// message.
    package var sentMessages: [PushMessage] {
        guard let launch, launch.content.variants.count > 1 else { return [message] }
        if case .rest = launch.part { return [message] }
        let sent = launch.content.variants.filter { $0.weight > 0 }
        return sent.isEmpty ? [message] : sent.map(\.message.common.message)
    }
}

extension Campaign {
    /// The content of a launch of this campaign.
    func launchContent(
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
        send.extraction = content.extraction == .frozen ? .frozen : nil
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
