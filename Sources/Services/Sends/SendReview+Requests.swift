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
        self.init(messages: [], audience: content.audience)
        add(content.variants)
        self.runs = runs
        quietHours = content.quietHours
        isWithheld = content.withholdsFromControlGroup
        let test = content.winner.map { Double($0.testShare) / 100 } ?? 1
        firstShare = test * Double(100 - content.controlShare) / 100
        switch content.delivery {
        case .actionBased, .apiTriggered:
            // The time is determined by an event or a request.
            quietHours = .sendAnyway
            checksQuietHours = false
        case .immediately, .scheduled: break
        }
    }

    /// A journey: those who can enter it, were they all to get every message. Its webhooks are texts.
    package init(_ journey: JourneyDefinition) {
        var queries = [journey.audience].compactMap(\.self)
        switch journey.entry {
        case .members(let query, _), .entering(let query): queries.append(query)
        case .event, .api, .journey: break
        }
        let filters = queries.compactMap(\.filter)
        let query = SegmentQuery(
            segments: queries.flatMap(\.segments),
            filter: filters.count > 1
                ? #"{"and":["# + filters.joined(separator: ",") + "]}" : filters.first
        )
        self.init(messages: [], audience: query == SegmentQuery() ? .everyone : .matching(query))
        for step in journey.steps {
            switch step.kind {
            case .push(let push): add(push.variants)
            case .webhook(let call): texts += [call.url, call.body] + call.headers.values.sorted()
            default: break
            }
        }
        isPush = !messages.isEmpty
        isWithheld = isPush
        // Each person comes to a message at a time of their own.
        checksQuietHours = false
    }

    private mutating func add(_ variants: [CampaignVariant]) {
        for variant in variants {
            let message = variant.message
            messages += [message.common, message.ios, message.android, message.web]
                .compactMap { $0?.message }
            // Where every platform has a message of its own, nobody is shown the common one.
            if platforms[message.common.message] == nil { platforms[message.common.message] = [] }
            for platform in MessagePlatform.allCases {
                platforms[message[platform].message, default: []].insert(platform)
            }
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
