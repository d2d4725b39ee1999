import Foundation
import WebPages

/// Why a user got a push or a campaign, or did not.
struct WhyPage {
    struct Choice {
        let value: String
        let label: String
        let isChosen: Bool
    }

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

    let action: String
    let choicesAddress: String
    let user: FormField
    let pushes: [Choice]
    let campaigns: [Choice]
    let hasCampaigns: Bool
    let answered: User?
    let launches: [Launch]
    let isEmpty: Bool

    init(
        user: String,
        subject: WhySubject?,
        pushes: [PushSummary],
        campaigns: [CampaignRow],
        answer: WhyAnswer?,
        isUnknown: Bool,
        visit: Visit
    ) {
        let words = visit.words
        action = ConsolePath.why.path
        choicesAddress = ConsolePath.userChoices.path
        self.user = FormField(value: user, fault: isUnknown ? words("compose.no_user") : nil)
        self.pushes = pushes.map { push in
            Choice(
                value: "push:\(push.number)",
                label: "#\(push.number) \(PushRow(push, visit: visit).title)",
                isChosen: subject == .push(push.number)
            )
        }
        self.campaigns = campaigns.map { campaign in
            Choice(
                value: "campaign:\(campaign.id)",
                label: campaign.name,
                isChosen: subject == .campaign(campaign.id)
            )
        }
        hasCampaigns = !campaigns.isEmpty
        answered = answer.map {
            let row = UsersPage.Row($0.user, visit: visit)
            return User(title: row.name.isEmpty ? row.title : row.name, address: row.address)
        }
        launches = (answer?.launches ?? []).map { Launch($0, visit: visit) }
        isEmpty = answer != nil && launches.isEmpty
    }
}

extension WhyPage.Launch {
    init(_ launch: WhyLaunch, visit: Visit) {
        let words = visit.words
        title =
            launch.title.isEmpty
            ? words("push.numbered", ["number": "\(launch.number)"]) : launch.title
        address = ConsolePath.push(launch.number).path
        moment = visit.moment(launch.at)
        verdict = launch.verdict.text(visit)
        tone = launch.verdict.tone
        let membership =
            launch.isInAudience.map { words($0 ? "why.member" : "why.no_member") }
            ?? words("why.unknown_member")
        facts =
            [
                WhyPage.Fact(label: words("compose.audience"), value: membership),
                WhyPage.Fact(
                    label: words("why.subscription"),
                    value: words(launch.isSubscribed ? "why.subscribed" : "why.unsubscribed_fact")
                ),
            ]
            + (launch.variant.map {
                [
                    WhyPage.Fact(
                        label: words("campaigns.variant"),
                        value: $0
                    )
                ]
            } ?? [])
        devices = launch.devices.map { device in
            WhyPage.Device(
                model: device.model ?? words("why.former_device"),
                push: device.push.map { words($0.wordKey) } ?? words("why.not_theirs"),
                pushTone: device.push?.tone ?? "quiet",
                state: device.state.map { words($0.wordKey) } ?? words("why.no_row"),
                tone: device.state?.tone ?? "quiet",
                reason: device.reason
            )
        }
        hasDevices = !devices.isEmpty
    }
}

extension WhyVerdict {
    func text(_ visit: Visit) -> String {
        let words = visit.words
        func time(_ date: Date) -> String { words.dateAndTime(date, in: visit.zone) }
        return switch self {
        case .opened(let date): words("why.opened", ["time": time(date)])
        case .received(let date): words("why.received", ["time": time(date)])
        case .accepted(let date): words("why.accepted", ["time": time(date)])
        case .onItsWay: words("why.on_its_way")
        case .waiting(let date, let reason?):
            words("why.waiting_because", ["time": time(date), "reason": reason])
        case .waiting(let date, nil): words("why.waiting", ["time": time(date)])
        case .rejected(let reason): words("why.rejected", ["reason": reason])
        case .unknown(let reason): words("why.unknown", ["reason": reason])
        case .skipped(reason: "UnprovedDevice"): words("why.unproved_device")
        case .skipped(let reason): words("why.skipped", ["reason": reason])
        case .notPlanned: words("why.not_planned")
        case .controlGroup: words("why.control_group")
        case .notInAudience: words("why.not_in_audience")
        case .unsubscribed: words("why.unsubscribed")
        case .noDevice: words("why.no_device")
        case .notReachable: words("why.not_reachable")
        case .notEligible: words("why.not_eligible")
        case .awaitsWinner: words("why.awaits_winner")
        case .wasInTest: words("why.was_in_test")
        case .localTimePassed: words("why.local_time_passed")
        case .quietHours: words("why.quiet_hours")
        case .frequencyCap: words("why.frequency_cap")
        case .leftOut: words("why.left_out")
        }
    }

    var tone: String {
        switch self {
        case .opened, .received, .accepted: "good"
        case .onItsWay, .waiting, .notPlanned, .unknown, .awaitsWinner: "warn"
        case .rejected, .skipped: "bad"
        case .controlGroup, .notInAudience, .unsubscribed, .noDevice, .notReachable, .notEligible,
            .wasInTest, .localTimePassed, .quietHours, .frequencyCap, .leftOut:
            "quiet"
        }
    }
}
