import Delivery
import Foundation
import Model

/// An explanation in sentences.
struct ExplanationText {
    /// Maximum number of skipped occurrences that are shown, the latest ones.
    private static let passedOverShown = 5

    private let explanation: DeliveryExplanation

    init(_ explanation: DeliveryExplanation) {
        self.explanation = explanation
    }

    var lines: [String] {
        let send = explanation.send
        let profile = explanation.profile
        let name = profile.externalID ?? profile.publicID.uuidString.lowercased()
        var lines = [
            "\(name) and send \(send.id): \(explanation.answer.sentence)",
            "  send:      \(send.state.rawValue), due \(Self.time(send.scheduledAt))",
            "  audience:  \(membership)",
            "  push:      \(profile.pushSubscription.rawValue)",
        ]
        if let entry = explanation.entry {
            let place =
                entry.isControl
                ? "control group"
                : entry.variant.flatMap {
                    explanation.send.content.launch?.content.variant(numbered: $0)
                }.map { "variant \($0.name)" }
            lines.append("  campaign:  \(place ?? "takes part"), due \(Self.time(entry.dueAt))")
        }
        lines += explanation.rule?.facts.map { "  rule:      \($0)" } ?? []
        if explanation.devices.isEmpty { lines.append("  devices:   none") }
        for story in explanation.devices {
            let model = story.device.map { " (\($0.model ?? $0.platform))" } ?? ""
            lines.append("  device \(story.id)\(model): \(Self.reach(story.reach))")
            if let row = story.row { lines += Self.row(row).map { "    " + $0 } }
            if story.row == nil { lines.append("    no row in the ledger") }
        }
        return lines
    }

    /// A campaign's launches, one after the other.
    static func lines(of story: CampaignHistory) -> [String] {
        let profile = story.profile
        let name = profile.externalID ?? profile.publicID.uuidString.lowercased()
        var lines = [
            "\(name) and campaign \(story.campaign.id), '\(story.campaign.content.name)' "
                + "(\(story.campaign.state.rawValue)): \(story.answer.sentence)"
        ]
        lines += story.waiting.map { trigger in
            "  waits: did it \(time(trigger.triggeredAt)), due \(time(trigger.dueAt))"
        }
        lines += story.passedOver.prefix(passedOverShown).map { occurrence in
            "  passed over for everybody: \(occurrence.key), \(occurrence.skipReason ?? "")"
        }
        for launch in story.launches {
            lines += ExplanationText(launch).lines.map { "  " + $0 }
        }
        return lines
    }

    private var membership: String {
        switch explanation.membership {
        case .member: "a member now"
        case .notMember: "no member now"
        case .unknown(let reason): "unknown: \(reason)"
        }
    }

    private static func reach(_ reach: DeliveryExplanation.Reach) -> String {
        switch reach {
        case .reachable: "can be reached"
        case .noToken: "has no push token"
        case .notAllowed(let authorization): "notifications are \(authorization.rawValue)"
        case .notTheirs: "is not this user's any more"
        }
    }

    private static func row(_ row: LedgerRow) -> [String] {
        var lines = [
            "\(row.state)" + (row.reason.map { ": \($0)" } ?? "")
                + ", \(row.attempts) attempts, last change \(time(row.updatedAt))"
        ]
        if row.state == .queued { lines.append("next attempt \(time(row.dueAt))") }
        if let id = row.providerID { lines.append("the provider calls it \(id)") }
        let times: [(String, Date?)] = [
            ("accepted", row.acceptedAt), ("received", row.receivedAt), ("opened", row.openedAt),
            ("influenced", row.influencedAt), ("dismissed", row.dismissedAt),
        ]
        lines += times.compactMap { name, date in date.map { "\(name) \(time($0))" } }
        return lines
    }

    private static func time(_ date: Date) -> String { Timestamp.format(date) }
}
