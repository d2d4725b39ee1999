import Foundation
import Model
import Ports
import Scheduling

extension DeliveryExplanation.Answer {
    /// The answer in a dispatch.
    init(_ row: LedgerRow) {
        let reason = row.reason ?? ""
        if let opened = row.openedAt {
            self = .opened(opened)
        } else if let received = row.receivedAt {
            self = .received(received)
        } else {
            switch row.state {
            case .queued: self = .waiting(reason: row.reason, until: row.dueAt)
            case .sending: self = .onItsWay
            case .accepted: self = .accepted(row.acceptedAt ?? row.updatedAt)
            case .rejected: self = .rejected(reason: reason)
            case .unknown: self = .unknown(reason: reason)
            case .skipped: self = .skipped(reason: reason)
            }
        }
    }

    /// Lower for dispatches that got further.
    var rank: Int {
        switch self {
        case .opened: 0
        case .received: 1
        case .accepted: 2
        case .onItsWay: 3
        case .waiting, .paused: 4
        case .unknown: 5
        case .rejected: 6
        case .skipped: 7
        case .controlGroup: 8
        case .notPlanned, .stopped, .notInAudience, .unsubscribed, .notOptedIn, .noDevice,
            .notReachable, .excluded, .rowsRemoved, .leftOut:
            9
        }
    }

    /// Whether a provider has accepted it, or will get it.
    var hasReached: Bool { rank <= 4 }

    /// Readable text, as the end of a sentence that begins with the user.
    package var sentence: String {
        switch self {
        case .opened(let date): "opened it at \(Timestamp.format(date))"
        case .received(let date): "got it at \(Timestamp.format(date))"
        case .accepted(let date):
            "the provider took it at \(Timestamp.format(date)); the device has not reported it"
        case .onItsWay: "it is on its way"
        case .waiting(let reason, let until):
            "waits until \(Timestamp.format(until))" + (reason.map { " because of \($0)" } ?? "")
        case .paused(let due):
            "waits, because the send is paused; was due \(Timestamp.format(due))"
        case .rejected(let reason): "the provider refused it: \(reason)"
        case .unknown(let reason): "nobody knows whether the provider took it: \(reason)"
        case .skipped(let reason): "was not sent: \(reason)"
        case .notPlanned: "the recipients are not listed yet"
        case .stopped: "the send was stopped before the user was listed"
        case .controlGroup: "gets nothing, as a member of the control group"
        case .notInAudience: "is not in the audience"
        case .unsubscribed: "has unsubscribed from pushes"
        case .notOptedIn: "has not opted in to pushes, and the send is for those who have"
        case .noDevice: "has no device"
        case .notReachable: "has no device that can show a push"
        case .excluded(let reason): reason.sentence
        case .rowsRemoved: "may have got it; the workspace no longer keeps who did"
        case .leftOut:
            "was left out when the recipients were listed: not in the audience or not reachable "
                + "then"
        }
    }
}

extension ExclusionReason {
    /// Readable text, as the end of a sentence that begins with the user.
    fileprivate var sentence: String {
        switch self {
        case .noDevice: "has no device that can show a push"
        case .notEligible: "has had the campaign and may not have it again yet"
        case .workspaceControlGroup:
            "gets no campaign's messages, as a member of the workspace's control group"
        case .controlGroup: "gets nothing, as a member of the control group"
        case .awaitsWinner: "gets the winning variant later"
        case .wasInTest: "was in the test and has had a variant"
        case .localTimePassed: "had passed the local time when the campaign was activated"
        case .quietHours: "was in the quiet hours, and the campaign does not wait for their end"
        case .frequencyCap: "has had as many messages as the frequency caps allow"
        case .notInAudience: "is not in the campaign's audience"
        }
    }
}

extension DeliveryExplanation.Rule {
    /// The data that the rule used, one fact per line.
    package var facts: [String] {
        switch reason {
        case .frequencyCap:
            limits.caps.map { "at most \($0.messages) messages in \($0.days) days" }
                + contacts.map(Self.fact)
        case .notEligible:
            [again] + contacts.map(Self.fact)
        case .quietHours:
            limits.quietHours.map { ["quiet from \($0.start) to \($0.end) on the user's clock"] }
                ?? []
        case .noDevice, .workspaceControlGroup, .controlGroup, .awaitsWinner, .wasInTest,
            .localTimePassed,
            .notInAudience:
            []
        }
    }

    private var again: String {
        switch reeligibility {
        case .never: "one message per user, ever"
        case .after(let pause): "again \(Int(pause)) seconds after the last one"
        }
    }

    private static func fact(_ contact: CampaignExposure) -> String {
        "campaign \(contact.campaign), send \(contact.send), at \(Timestamp.format(contact.time))"
            + (contact.variant == nil ? ", in the control group" : "")
    }
}

extension CampaignHistory.Answer {
    /// Readable text, as the end of a sentence that begins with the user.
    package var sentence: String {
        switch self {
        case .launched(let answer): answer.sentence
        case .waitsAfterEvent(let until): "has triggered it; due \(Timestamp.format(until))"
        case .notTriggered: "has not triggered it, and no request has named the user"
        case .notLaunched(let state, let next?):
            "is not launched yet (\(state.rawValue)), next at \(Timestamp.format(next))"
        case .notLaunched(let state, nil): "is not launched yet (\(state.rawValue))"
        }
    }
}
