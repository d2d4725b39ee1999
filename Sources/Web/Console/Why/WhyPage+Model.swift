import Delivery
import Foundation
import Model
import NoroshiWire
import Scheduling
import Sends
import WebPages

/// Explains why a user got a push or a campaign, or did not.
struct WhyPage {
    struct Device {
        let model: String
        let push: String
        let pushTone: String
        let state: String
        let tone: String
        let reason: String?
    }

    struct Launch {
        let title: String
        let address: String
        let moment: Moment
        let verdict: String
        let tone: String
        let facts: [Fact]
        let devices: [Device]
        let hasDevices: Bool
    }

    struct Fact {
        let label: String
        let value: String
    }

    struct User {
        let title: String
        let address: String
    }

    /// The results of the launches that concern a user.
    struct Answer {
        let profile: Profile
        let launches: [DeliveryExplanation]
    }

    let action: String
    let choicesAddress: String
    let user: FormField
    let pushes: [FormChoice]
    let campaigns: [FormChoice]
    let hasCampaigns: Bool
    let answered: User?
    let launches: [Launch]
    let isEmpty: Bool

    init(
        user: String,
        subject: DeliveryExplanationSubject?,
        pushes: [SendReport],
        campaigns: [Campaign],
        answer: Answer?,
        isUnknown: Bool,
        context: ConsoleContext
    ) {
        let words = context.words
        action = ConsolePath.why.path
        choicesAddress = ConsolePath.userChoices.path
        self.user = FormField(value: user, fault: isUnknown ? words("compose.no_user") : nil)
        self.pushes = pushes.map { push in
            let asked = DeliveryExplanationSubject.push(push.send.id)
            return FormChoice(
                value: asked.name,
                label: "#\(push.send.id) \(PushRow(push, context: context).title)",
                isChosen: subject == asked
            )
        }
        self.campaigns = campaigns.map { campaign in
            let asked = DeliveryExplanationSubject.campaign(campaign.id)
            return FormChoice(
                value: asked.name,
                label: campaign.content.name,
                isChosen: subject == asked
            )
        }
        hasCampaigns = !campaigns.isEmpty
        answered = answer.map { User($0.profile, words) }
        launches = (answer?.launches ?? []).map { Launch($0, context: context) }
        isEmpty = answer != nil && launches.isEmpty
    }
}

extension WhyPage.User {
    init(_ profile: Profile, _ words: Words) {
        let id = String(profile.id.rawValue)
        let name = profile.fullName
        title =
            name.isEmpty
            ? profile.externalID ?? words("users.anonymous", ["id": id]) : name
        address = ConsolePath.user(id).path
    }
}

extension WhyPage.Launch {
    init(_ found: DeliveryExplanation, context: ConsoleContext) {
        let words = context.words
        let send = found.send
        title =
            send.content.message.title.isEmpty
            ? words("push.numbered", ["number": "\(send.id)"]) : send.content.message.title
        address = ConsolePath.push(send.id.rawValue).path
        moment = context.moment(send.startedAt ?? send.scheduledAt)
        verdict = found.answer.text(context)
        tone = found.answer.tone
        let membership =
            switch found.membership {
            case .member: words("why.member")
            case .notMember: words("why.no_member")
            case .unknown: words("why.unknown_member")
            }
        let isSubscribed = found.profile.pushSubscription != .unsubscribed
        facts =
            [
                WhyPage.Fact(label: words("compose.audience"), value: membership),
                WhyPage.Fact(
                    label: words("why.subscription"),
                    value: words(isSubscribed ? "why.subscribed" : "why.unsubscribed_fact")
                ),
            ]
            + (found.variant.map { [WhyPage.Fact(label: words("campaigns.variant"), value: $0)] }
                ?? [])
        devices = found.devices.map { story in
            WhyPage.Device(
                model: story.device.map { $0.model ?? $0.platform } ?? words("why.former_device"),
                push: words(story.reach.wordKey),
                pushTone: story.reach.tone,
                state: words(story.row?.progress.wordKey ?? "why.no_row"),
                tone: story.row?.progress.tone ?? "quiet",
                reason: story.row?.reason
            )
        }
        hasDevices = !devices.isEmpty
    }
}

extension DeliveryExplanation.Reach {
    fileprivate var wordKey: String {
        switch self {
        case .reachable: "users.push.reachable"
        case .notAllowed: "users.push.silent_only"
        case .noToken: "users.push.unreachable"
        case .notTheirs: "why.not_theirs"
        }
    }

    fileprivate var tone: String {
        switch self {
        case .reachable: "good"
        case .notAllowed: "warn"
        case .noToken, .notTheirs: "quiet"
        }
    }
}

extension DeliveryExplanation.Answer {
    fileprivate func text(_ context: ConsoleContext) -> String {
        let words = context.words
        func time(_ date: Date) -> String { words.dateAndTime(date, in: context.zone) }
        return switch self {
        case .opened(let date): words("why.opened", ["time": time(date)])
        case .received(let date): words("why.received", ["time": time(date)])
        case .accepted(let date): words("why.accepted", ["time": time(date)])
        case .onItsWay: words("why.on_its_way")
        case .waiting(let reason?, let date):
            words("why.waiting_because", ["time": time(date), "reason": reason])
        case .waiting(nil, let date): words("why.waiting", ["time": time(date)])
        case .paused(let date):
            words("why.waiting_because", ["time": time(date), "reason": "Paused"])
        case .rejected(let reason): words("why.rejected", ["reason": reason])
        case .unknown(let reason): words("why.unknown", ["reason": reason])
        case .skipped(reason: "UnprovedDevice"): words("why.unproved_device")
        case .skipped(let reason): words("why.skipped", ["reason": reason])
        case .stopped: words("why.skipped", ["reason": "Cancelled"])
        case .notOptedIn: words("why.skipped", ["reason": "NotOptedIn"])
        case .notPlanned: words("why.not_planned")
        case .controlGroup: words("why.control_group")
        case .notInAudience: words("why.not_in_audience")
        case .unsubscribed: words("why.unsubscribed")
        case .noDevice: words("why.no_device")
        case .notReachable: words("why.not_reachable")
        case .excluded(let reason): words(reason.wordKey)
        case .rowsRemoved: words("why.rows_removed")
        case .leftOut: words("why.left_out")
        }
    }

    fileprivate var tone: String {
        switch self {
        case .opened, .received, .accepted: "good"
        case .onItsWay, .waiting, .paused, .notPlanned, .unknown, .excluded(.awaitsWinner): "warn"
        case .rejected, .skipped, .stopped, .notOptedIn: "bad"
        case .controlGroup, .notInAudience, .unsubscribed, .noDevice, .notReachable, .excluded,
            .rowsRemoved, .leftOut:
            "quiet"
        }
    }
}

extension ExclusionReason {
    var wordKey: String {
        switch self {
        case .noDevice: "why.not_reachable"
        case .notEligible: "why.not_eligible"
        case .workspaceControlGroup: "why.workspace_control_group"
        case .controlGroup: "why.control_group"
        case .awaitsWinner: "why.awaits_winner"
        case .wasInTest: "why.was_in_test"
        case .localTimePassed: "why.local_time_passed"
        case .quietHours: "why.quiet_hours"
        case .frequencyCap: "why.frequency_cap"
        case .notInAudience: "why.not_in_audience"
        }
    }
}
