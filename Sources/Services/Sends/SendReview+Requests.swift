import Campaigns
import Foundation
import Model

extension SendReview.Request {
    /// A push without a campaign.
    package init(_ content: SendContent, startsAt: Date?) {
        self.init(
            messages: [content.message] + (content.platforms ?? [:]).values.map(\.message),
            audience: content.audience
        )
        self.startsAt = startsAt
        isWithheld = content.isWithheldFromControlGroup
    }

    /// - Parameter runs: The next start times, if the campaign has a schedule.
    package init(_ content: CampaignContent, runs: [Date]) {
        self.init(
            messages: content.variants.flatMap { variant in
                let message = variant.message
                return [message.common, message.ios, message.android, message.web]
                    .compactMap { $0?.message }
            },
            audience: content.audience
        )
        self.runs = runs
        quietHours = content.quietHours
        isWithheld = content.withholdsFromControlGroup
        let test = content.winner.map { Double($0.testShare) / 100 } ?? 1
        firstShare = test * Double(100 - content.controlShare) / 100
        switch content.delivery {
        case .actionBased, .apiTriggered:
            // The time is determined by an event or a request.
            quietHours = .ignore
            checksQuietHours = false
        case .immediately, .scheduled: break
        }
    }

    /// An in-app message: the users who may see it when it is triggered. They need no device that
    /// shows pushes.
    package init(_ stored: InAppMessageDefinition) {
        self.init(
            messages: [],
            audience: stored.audience == SegmentQuery() ? .everyone : .matching(stored.audience)
        )
        texts = stored.contents.flatMap(\.texts)
        isPush = false
        isWithheld = true
        checksQuietHours = false
        firstShare = Double(100 - stored.experiment.controlShare) / 100
    }
}
