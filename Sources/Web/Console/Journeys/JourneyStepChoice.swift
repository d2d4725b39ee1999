import Campaigns
import Foundation
import Model
import WebPages

/// The kinds of steps as people choose them: each has a form of its own.
enum JourneyStepChoice: String, CaseIterable {
    case push, inApp, delay, clock, event, match, quietHours, branch, split, update, webhook,
        jump, journey, exit

    init(_ kind: JourneyStepKind) {
        self =
            switch kind {
            case .push: .push
            case .inAppMessage: .inApp
            case .update: .update
            case .webhook: .webhook
            case .wait(.duration): .delay
            case .wait(.clock): .clock
            case .wait(.event): .event
            case .wait(.match): .match
            case .wait(.quietHours): .quietHours
            case .branch: .branch
            case .split: .split
            case .jump: .jump
            case .enterJourney: .journey
            case .exit: .exit
            }
    }

    var wordKey: String {
        switch self {
        case .push: "journeys.kind.push"
        case .inApp: "journeys.kind.in_app"
        case .delay: "journeys.kind.delay"
        case .clock: "journeys.kind.clock"
        case .event: "journeys.kind.event"
        case .match: "journeys.kind.match"
        case .quietHours: "journeys.kind.quiet_hours"
        case .branch: "journeys.kind.branch"
        case .split: "journeys.kind.split"
        case .update: "journeys.kind.update"
        case .webhook: "journeys.kind.webhook"
        case .jump: "journeys.kind.jump"
        case .journey: "journeys.kind.journey"
        case .exit: "journeys.kind.exit"
        }
    }

    var helpKey: String {
        switch self {
        case .push: "journeys.kind.push_help"
        case .inApp: "journeys.kind.in_app_help"
        case .delay: "journeys.kind.delay_help"
        case .clock: "journeys.kind.clock_help"
        case .event: "journeys.kind.event_help"
        case .match: "journeys.kind.match_help"
        case .quietHours: "journeys.kind.quiet_hours_help"
        case .branch: "journeys.kind.branch_help"
        case .split: "journeys.kind.split_help"
        case .update: "journeys.kind.update_help"
        case .webhook: "journeys.kind.webhook_help"
        case .jump: "journeys.kind.jump_help"
        case .journey: "journeys.kind.journey_help"
        case .exit: "journeys.kind.exit_help"
        }
    }

    var icon: String {
        switch self {
        case .push: "bell"
        case .inApp: "in-app"
        case .delay, .clock, .quietHours: "wait"
        case .event: "event"
        case .match: "segment"
        case .branch, .split: "branch"
        case .update: "person"
        case .webhook: "webhook"
        case .jump, .journey: "journey"
        case .exit: "out"
        }
    }

    /// A new step of this kind, whose form is still to be filled in.
    ///
    /// - Parameter target: Where all of its ways lead.
    func step(_ id: JourneyStepID, to target: JourneyStepID?, words: Words) -> JourneyStep {
        let day: TimeInterval = 86_400
        let unset = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let kind: JourneyStepKind =
            switch self {
            case .push:
                .push(
                    JourneyPush(variants: [
                        CampaignVariant(
                            apiID: UUID(),
                            name: CampaignForm.letter(0),
                            message: CampaignMessage(.unwritten)
                        )
                    ])
                )
            case .inApp: .inAppMessage(JourneyInAppMessage(message: unset))
            case .delay: .wait(.duration(day))
            case .clock:
                // Nine o'clock is a time.
                TimeOfDay(9, 0).map { .wait(.clock(JourneyClockTime(time: $0))) }
                    ?? .wait(.duration(day))
            case .event:
                .wait(.event(EventMatch(.custom(name: "")), limit: day, late: target))
            case .match: .wait(.match(SegmentQuery(), limit: day, late: target))
            case .quietHours: .wait(.quietHours)
            case .branch:
                .branch([
                    JourneyPath(
                        name: words("journeys.path_name", ["letter": CampaignForm.letter(0)]),
                        condition: .segment(SegmentQuery()),
                        next: target
                    )
                ])
            case .split:
                .split(
                    (0..<2).map {
                        JourneyShare(name: CampaignForm.letter($0), next: target)
                    }
                )
            case .update: .update(JourneyUpdate())
            case .webhook: .webhook(JourneyWebhook(url: ""))
            case .jump: .jump
            case .journey: .enterJourney(unset)
            case .exit: .exit
            }
        let leadsOn = self != .exit && self != .split && self != .jump
        return JourneyStep(id: id, kind: kind, next: leadsOn ? target : nil)
    }
}
