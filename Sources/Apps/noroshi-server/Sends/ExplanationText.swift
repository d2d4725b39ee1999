import Delivery
import Foundation
import Model
import Ports

/// An explanation in sentences.
struct ExplanationText {
    private let explanation: DeliveryExplanation

    init(_ explanation: DeliveryExplanation) {
        self.explanation = explanation
    }

    var lines: [String] {
        let send = explanation.send
        let profile = explanation.profile
        let name = profile.externalID ?? profile.publicID.uuidString.lowercased()
        var lines = [
            "\(name) and send \(send.id): \(answer)",
            "  send:      \(send.state.rawValue), due \(Self.time(send.scheduledAt))",
            "  audience:  \(membership)",
            "  push:      \(profile.pushSubscription.rawValue)",
        ]
        if let entry = explanation.entry {
            let place =
                entry.isControl ? "control group" : entry.variant.map { "variant \($0 + 1)" }
            lines.append("  campaign:  \(place ?? "takes part"), due \(Self.time(entry.dueAt))")
        }
        if explanation.devices.isEmpty { lines.append("  devices:   none") }
        for story in explanation.devices {
            let model = story.device.model ?? story.device.platform
            lines.append("  device \(story.device.id) (\(model)): \(Self.reach(story.reach))")
            if let row = story.row { lines += Self.row(row).map { "    " + $0 } }
            if story.row == nil { lines.append("    no row in the ledger") }
        }
        return lines
    }

    private var answer: String {
        switch explanation.answer {
        case .opened(let date): "opened it at \(Self.time(date))"
        case .received(let date): "got it at \(Self.time(date))"
        case .accepted(let date):
            "the provider took it at \(Self.time(date)); the device has not reported it"
        case .onItsWay: "it is on its way"
        case .waiting(let reason, let until):
            "waits until \(Self.time(until))" + (reason.map { " because of \($0)" } ?? "")
        case .rejected(let reason): "the provider refused it: \(reason)"
        case .unknown(let reason): "nobody knows whether the provider took it: \(reason)"
        case .skipped(let reason): "was not sent: \(reason)"
        case .notPlanned: "the recipients are not listed yet"
        case .controlGroup: "gets nothing, as a member of the control group"
        case .notInAudience: "is not in the audience"
        case .unsubscribed: "has unsubscribed from pushes"
        case .noDevice: "has no device"
        case .notReachable: "has no device that can show a push"
        case .leftOut:
            "was left out when the recipients were listed: not in the audience or not reachable "
                + "then, or kept out by a rule of the campaign"
        }
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
