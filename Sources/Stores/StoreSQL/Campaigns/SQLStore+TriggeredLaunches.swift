import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func trigger(
        _ launch: TriggeredLaunch,
        noting audit: @escaping @Sendable (SendID) -> AuditRecord?,
        now: Date
    ) async throws -> TriggerOutcome {
        try await write { [identities] database in
            // All checks that can reject the launch come before the first write.
            guard let campaign = try Campaign.fetch(launch.occurrence.campaign, database) else {
                return .outdated
            }
            let transaction = try IngestTransaction(database, cache: identities, now: now)
            if let known = try Self.known(launch.occurrence, database) {
                return try Self.answer(known, to: launch, campaign.workspace, transaction)
            }
            guard campaign.state == .active else { return .outdated }
            if let id = launch.trackingID,
                try !Self.save(trackingID: id, of: campaign, now, database)
            {
                return .trackingIDTaken
            }
            var occurrence = launch.occurrence
            var outcomes: [IngestOutcome?] = []
            if let recipients = launch.recipients {
                for recipient in recipients {
                    outcomes.append(
                        try recipient.item.map { try transaction.apply($0, in: campaign.workspace) }
                    )
                }
                try transaction.flush()
                for recipient in recipients {
                    guard
                        let user = try transaction.find(recipient.user, in: campaign.workspace)
                    else { continue }
                    occurrence.properties[user] = recipient.properties
                }
                occurrence.content?.audience = .profiles(occurrence.properties.keys.sorted())
                identities.add(transaction.resolved, after: database)
            }
            guard case .launched(let send) = try Self.make(occurrence, now, database) else {
                // The same transaction read the campaign as active.
                throw StoreError(.unreadable, .noLaunch)
            }
            try Self.addAudit(audit(send.id), in: campaign.workspace, database)
            return .launched(send, outcomes)
        }
    }

    /// The outcome of a known key, if the earlier send matches what this request asks for.
    private static func answer(
        _ known: LaunchOutcome,
        to launch: TriggeredLaunch,
        _ workspace: WorkspaceID,
        _ transaction: IngestTransaction
    ) throws -> TriggerOutcome {
        guard case .known(let send?) = known else { return .outdated }
        var audience = launch.occurrence.content?.audience
        if let recipients = launch.recipients {
            let users = try recipients.compactMap { try transaction.find($0.user, in: workspace) }
            audience = .profiles(Set(users).sorted())
        }
        guard send.content.audience == audience,
            send.content.triggerProperties == launch.occurrence.content?.triggerProperties
        else { return .otherRequest }
        return .known(send)
    }
}
