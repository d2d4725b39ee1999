import Analytics
import Experiments
import Foundation
import Model
import NoroshiWire
import Ports

/// The report on an in-app message.
package struct InAppMessageReport: Sendable {
    package var counts: InAppMessageCounts
    /// The last days up to today, without gaps, oldest first.
    package var days: [InAppMessageCountsBucket]
    /// Counts of its variants by the numbers of their contents, of its control group under
    /// `InAppExperiment.controlName`, and of the workspace's under `withheldName`.
    package var variants: [String: InAppMessageCounts]
    /// All current and former contents of its variants.
    package var contents: [InAppVariantRecord]
    /// The contents that are compared now, in order.
    package var present: [InAppVariantRecord]

    /// The numbers of the contents that are compared now, in order.
    package var current: [Int] { present.map(\.number) }

    /// The current contents in order, then the earlier ones; empty if nothing is or was compared.
    package var results: [InAppVariantResult] {
        func result(
            _ record: InAppVariantRecord,
            _ standing: InAppVariantResult.Standing
        ) -> InAppVariantResult {
            InAppVariantResult(
                standing: standing,
                text: record.header.isEmpty ? record.text : record.header,
                counts: variants[String(record.number)] ?? InAppMessageCounts()
            )
        }
        let ids = Set(present.map(\.id))
        return present.map { result($0, .current) }
            + contents.filter {
                !current.contains($0.number) && variants[String($0.number)] != nil
            }.map { result($0, ids.contains($0.id) ? .earlier : .removed) }
    }

    /// Users of the control group who would have seen the message.
    package var control: Int { variants[InAppExperiment.controlName]?.recipients ?? 0 }
}

/// The counts of one content of a variant.
package struct InAppVariantResult: Sendable, Hashable {
    package enum Standing: String, Sendable, Hashable, CaseIterable {
        case current
        /// Its variant has a different content now.
        case earlier
        /// Its variant was removed.
        case removed
    }

    package var standing: Standing
    /// The visible text.
    package var text: String
    package var counts: InAppMessageCounts
}

extension InAppMessageService {
    /// The reported interactions with some messages; messages without any report are missing.
    package func counts(
        of messages: [InAppMessageDefinition],
        in workspace: WorkspaceID
    ) async throws -> [UUID: InAppMessageCounts] {
        let ids = messages.map(\.id)
        return try await counted(
            "in-app \(ids.map(\.uuidString).joined(separator: " "))",
            in: workspace
        ) {
            try await store.inAppMessageCounts(of: ids, in: workspace)
        }
    }

    /// A cached count for pages, recomputed after a change.
    func counted<Value: Sendable>(
        _ name: String,
        in workspace: WorkspaceID,
        _ count: () async throws -> Value
    ) async throws -> Value {
        guard let figures else { return try await count() }
        return try await figures.value(of: .workspace(workspace), name, count: count)
    }

    /// - Parameters:
    ///   - days: Number of days up to today with separate counts.
    ///   - zone: The time zone of the days.
    package func report(
        of message: InAppMessageDefinition,
        days: Int = 0,
        in zone: TimeZone = .gmt
    ) async throws -> InAppMessageReport {
        let workspace = message.workspace
        let boundaries = days == 0 ? [] : LocalDays(zone).days(days, endingAt: now())
        let found = try await counted(
            "in-app report \(message.id) \(boundaries)",
            in: workspace
        ) {
            (
                counts: try await store.inAppMessageCounts(of: [message.id], in: workspace),
                days: boundaries.isEmpty
                    ? []
                    : try await store.inAppMessageSteps(
                        of: message.id,
                        in: workspace,
                        between: boundaries
                    ),
                variants: try await store.inAppMessageVariantCounts(of: message.id, in: workspace)
            )
        }
        return InAppMessageReport(
            counts: found.counts[message.id] ?? InAppMessageCounts(),
            days: found.days,
            variants: found.variants,
            contents: try await store.inAppVariantRecords(of: message.id, in: workspace),
            present: message.experiment.isRunning ? Self.records(of: message) : []
        )
    }

    private static func records(of message: InAppMessageDefinition) -> [InAppVariantRecord] {
        let experiment = message.experiment
        return message.contents.enumerated().map { index, content in
            let isKnown = experiment.identities.indices.contains(index)
            return InAppVariantRecord(
                number: experiment.number(ofVariantAt: index),
                id: isKnown ? experiment.identities[index].id : message.id,
                header: content.header ?? "",
                text: content.message
            )
        }
    }

    /// What the contents that are compared now say so far; `nil` if nothing is compared.
    ///
    /// - Parameter smallestLift: The smallest relative lift that is worth knowing, above 0.
    package func comparison(
        of message: InAppMessageDefinition,
        smallestLift: Double = Experiment.usualLift
    ) async throws -> InAppComparison? {
        let contents = Self.records(of: message)
        guard message.experiment.isRunning else { return nil }
        let counts = try await counted(
            "in-app groups \(message.id) \(message.updatedAt.timeIntervalSince1970)",
            in: message.workspace
        ) {
            (
                groups: try await store.inAppMessageGroups(
                    of: message.id,
                    goal: message.goal,
                    in: message.workspace,
                    numbers: contents.map(\.number)
                ),
                withheld: try await store.inAppWithheld(
                    of: message.id,
                    goal: message.goal,
                    in: message.workspace
                ),
                since: message.goal == nil
                    ? nil
                    : try await store.inAppConversionsSince(of: message.id, in: message.workspace)
            )
        }
        return InAppComparison(
            message,
            contents,
            counts.groups,
            withheld: counts.withheld,
            smallestLift: smallestLift,
            completeSince: counts.since
        )
    }

    /// Users' interactions with a message, the latest report first.
    package func contacts(
        of message: InAppMessageDefinition,
        matching query: InAppMessageEngagementQuery
    ) async throws -> [InAppMessageEngagement] {
        try await store.inAppMessageContacts(
            of: message.id,
            in: message.workspace,
            matching: query
        )
    }
}
