import Experiments
import Foundation
import Model
import Ports

extension CampaignReports {
    /// The result of a campaign's newest experiment so far.
    ///
    /// - Parameter smallestLift: The smallest relative lift that is worth knowing, above 0.
    package func experiment(
        of campaign: Campaign,
        smallestLift: Double = Experiment.usualLift,
        at now: Date
    ) async throws -> CampaignExperiment {
        let record = try await store.experiment(
            of: campaign.id,
            conversions: campaign.content.conversions,
            at: now
        )
        return CampaignExperiment(
            campaign.content,
            record,
            texts: try await store.variantRecords(of: campaign.id),
            smallestLift: smallestLift,
            at: now
        )
    }

    /// The variant for those outside of a test: the one with the best rate of users among those with
    /// a weight, of equal ones the first; and whether it is better than every other one by intervals
    /// that survive looking every day.
    package func bestVariant(
        of campaign: Campaign,
        by measure: WinnerRule.Measure,
        at now: Date
    ) async throws -> (index: Int, isProven: Bool) {
        let experiment = try await experiment(of: campaign, at: now)
        let content = campaign.content
        let wanted: CampaignExperiment.Measure = measure == .opens ? .opens : .conversion(0)
        let result = experiment.results.first { $0.measure == wanted }?.experiment
        func arm(_ index: Int) -> ExperimentArm? {
            let group = ExperimentGroup.variant(content.number(ofVariantAt: index))
            return result?.arms.first { $0.group == group }
        }
        // A variant without a weight was not tested and cannot win.
        // `max` takes the first of equal ones.
        let best = content.variants.indices.filter { content.variants[$0].weight > 0 }
            .max { (arm($0)?.sample.mean ?? 0) < (arm($1)?.sample.mean ?? 0) }
        let index = best ?? content.variants.startIndex
        let isProven = arm(index).map { result?.isBestVariant($0.group) == true } ?? false
        return (index, isProven)
    }
}

extension CampaignExperiment {
    /// The experiment that a campaign would begin, without users.
    package init(planned content: CampaignContent) {
        self.init(content, nil, texts: [], smallestLift: Experiment.usualLift, at: .distantPast)
    }

    /// - Parameters:
    ///   - record: `nil` before the first launch.
    ///   - texts: All texts that the campaign has had.
    init(
        _ content: CampaignContent,
        _ record: ExperimentRecord?,
        texts: [CampaignVariantRecord],
        smallestLift: Double,
        at now: Date
    ) {
        let design = record?.design ?? ExperimentDesign(content)
        let records = record?.groups ?? [:]
        since = record?.since
        launches = record?.launches ?? 0
        self.smallestLift = smallestLift
        let names = Dictionary(
            texts.map { ($0.number, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        func known(_ number: Int) -> (name: String, apiID: UUID?) {
            if let variant = content.variant(numbered: number) {
                return (variant.name, variant.apiID)
            }
            return (names[number]?.name ?? "", names[number]?.apiID)
        }

        let control = Double(design.controlShare) / 100
        let weights = Double(design.variants.map(\.weight).reduce(0, +))
        var groups: [Group] = []
        if control > 0 {
            groups.append(
                Group(
                    identity: .control,
                    apiID: nil,
                    name: "",
                    share: control,
                    users: records[nil]?.users ?? 0
                )
            )
        }
        // Where everybody is in the control group, no variant is drawn.
        groups += design.variants.filter { $0.weight > 0 && control < 1 }.map { variant in
            let (name, apiID) = known(variant.number)
            return Group(
                identity: .variant(variant.number),
                apiID: apiID,
                name: name,
                share: (1 - control) * Double(variant.weight) / weights,
                users: records[variant.number]?.users ?? 0
            )
        }
        self.groups = groups
        split =
            groups.count > 1
            ? SplitCheck(users: groups.map(\.users), shares: groups.map(\.share)) : nil
        choice = record?.choice.map { choice in
            let (name, apiID) = known(choice.variant)
            return Choice(name: name, apiID: apiID, isProven: choice.isProven)
        }
        if let last = record?.lastDueAt, let window = content.conversions.first?.window {
            let end = last.addingTimeInterval(window)
            convertsUntil = end > now ? end : nil
        }
        results = []
        results = Self.measures(of: content).map { measure in
            Result(
                measure: measure,
                experiment: Experiment(
                    arms: arms(of: measure).map { group in
                        ExperimentArm(
                            group: group.identity,
                            share: group.share,
                            sample: Self.sample(measure, records[group.identity.number])
                        )
                    },
                    isRate: measure.isRate,
                    smallestLift: smallestLift
                )
            )
        }
    }

    private static func measures(of content: CampaignContent) -> [Measure] {
        var measures = content.conversions.indices.map(Measure.conversion)
        if case .purchase? = content.conversions.first?.event.kind {
            measures.insert(.revenue, at: 1)
        }
        return measures + [.opens, .directOpens]
    }

    private static func sample(
        _ measure: Measure,
        _ group: ExperimentRecord.Group?
    ) -> GroupSample {
        guard let group else { return GroupSample(users: 0, successes: 0) }
        switch measure {
        case .conversion(let index):
            let converted = group.converted.indices.contains(index) ? group.converted[index] : 0
            return GroupSample(users: group.users, successes: converted)
        case .revenue:
            return GroupSample(
                users: group.users,
                sum: group.revenue,
                squares: group.squaredRevenue
            )
        case .opens:
            return GroupSample(users: group.users, successes: group.opened)
        case .directOpens:
            return GroupSample(users: group.users, successes: group.tapped)
        }
    }
}

extension ExperimentGroup {
    /// The number of the text; `nil` for the control group.
    package var number: Int? {
        switch self {
        case .control: nil
        case .variant(let number): number
        }
    }
}
