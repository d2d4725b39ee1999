import Foundation
import Model
import Ports
import Relational

extension SQLStore: ExperimentStore {
    package func experiment(
        of campaign: CampaignID,
        conversions: [ConversionEvent],
        at now: Date
    ) async throws -> ExperimentRecord? {
        try await read { database in
            try ExperimentRows(campaign, at: now, database).record(conversions)
        }
    }
}
