import Foundation
import Model
import Ports

/// How far pushes, campaigns and in-app messages have come, and how soon they are opened.
package struct MessageFunnels: Sendable {
    private let store: any MessageFunnelStore & CampaignReportStore
    private let figures: ReportCache?
    private let now: @Sendable () -> Date

    /// - Parameter figures: Keeps what was counted; without it everything is counted each time.
    package init(
        store: any MessageFunnelStore & CampaignReportStore,
        figures: ReportCache? = nil,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.figures = figures
        self.now = now
    }

    // MARK: Funnels

    /// Of one send: from the users it was planned for to those who opened it.
    package func funnel(of send: SendID) async throws -> MessageFunnel {
        try await value(of: .send(send), "funnel") {
            let reach = try await store.reach(of: .send(send))
            return MessageFunnel(
                steps: Self.steps(reach),
                control: reach.control > 0
                    ? MessageFunnel.Control(users: reach.control, converted: nil) : nil,
                withheld: reach.withheld
            )
        }
    }

    /// Of all launches of a campaign: to those who did its first conversion event, if it has one,
    /// with the control group beside it.
    package func funnel(of campaign: Campaign) async throws -> MessageFunnel {
        try await value(of: .workspace(campaign.workspace), Self.name("funnel", campaign)) {
            let reach = try await store.reach(of: .campaign(campaign.id))
            var funnel = MessageFunnel(steps: Self.steps(reach), withheld: reach.withheld)
            var converted: [Bool: Set<ProfileID>] = [:]
            let primary = campaign.content.conversions.first
            if let primary {
                let found = try await store.conversions(
                    of: campaign.id,
                    trackingID: nil,
                    event: primary.event,
                    window: primary.window
                )
                for conversion in found {
                    converted[conversion.variant == nil, default: []].insert(conversion.profile)
                }
                funnel.steps.append(.init(.converted, converted[false]?.count ?? 0))
            }
            if reach.control > 0 {
                funnel.control = MessageFunnel.Control(
                    users: reach.control,
                    converted: primary == nil ? nil : converted[true]?.count ?? 0
                )
            }
            return funnel
        }
    }

    /// Of an in-app message: to whom it was shown, who tapped it, and who reached its goal, if it has
    /// one, with the control group beside it.
    package func funnel(of message: InAppMessageDefinition) async throws -> MessageFunnel {
        let edited = message.updatedAt.timeIntervalSince1970
        return try await value(
            of: .workspace(message.workspace),
            "in-app funnel \(message.id) \(edited)"
        ) {
            let reach = try await store.inAppReach(
                of: message.id,
                goal: message.goal,
                in: message.workspace
            )
            var funnel = MessageFunnel(
                steps: [.init(.shown, reach.shown), .init(.clicked, reach.clicked)],
                withheld: reach.withheld.users,
                withheldConverted: reach.converted.map { _ in reach.withheld.converted },
                completeSince: reach.completeSince
            )
            if let converted = reach.converted {
                funnel.steps.append(.init(.converted, converted.shown))
            }
            if reach.control > 0 {
                funnel.control = MessageFunnel.Control(
                    users: reach.control,
                    converted: reach.converted?.control
                )
            }
            return funnel
        }
    }

    private static func steps(_ reach: MessageReach) -> [MessageFunnel.Step] {
        [
            .init(.targeted, reach.targeted), .init(.delivered, reach.delivered),
            .init(.received, reach.received), .init(.opened, reach.opened),
        ]
    }

    // MARK: Opens

    /// `nil` until a message was accepted.
    package func opens(of send: SendID) async throws -> OpenCurve? {
        try await value(of: .send(send), "opens") { try await curve(of: .send(send)) }
    }

    /// Of all launches; `nil` until a message was accepted.
    package func opens(of campaign: Campaign) async throws -> OpenCurve? {
        try await value(of: .workspace(campaign.workspace), Self.name("opens", campaign)) {
            try await curve(of: .campaign(campaign.id))
        }
    }

    private func curve(of source: LedgerSource) async throws -> OpenCurve? {
        guard let first = try await store.firstAcceptance(of: source) else { return nil }
        let age = max(0, now().milliseconds - first.milliseconds) / 1_000
        let unit = OpenCurve.unit(age: age)
        let delays = try await store.openDelays(of: source, unit: unit)
        var opens: [Int] = []
        for step in 0...OpenCurve.steps(age: age) {
            opens.append((opens.last ?? 0) + (delays.opens[step] ?? 0))
        }
        return OpenCurve(
            unit: unit,
            opens: opens,
            total: delays.opens.values.reduce(0, +),
            halfTime: delays.middle.map { $0 / 1_000 }
        )
    }

    private func value<Value: Sendable>(
        of subject: ReportCache.Subject,
        _ name: String,
        count: () async throws -> Value
    ) async throws -> Value {
        guard let figures else { return try await count() }
        return try await figures.value(of: subject, name, count: count)
    }

    private static func name(_ figure: String, _ campaign: Campaign) -> String {
        "\(figure) \(campaign.id) \(campaign.updatedAt.timeIntervalSince1970)"
    }
}
