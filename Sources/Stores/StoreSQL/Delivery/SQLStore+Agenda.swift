import Foundation
import Model
import Ports
import Relational

extension SQLStore: WorkAgendaStore {
    package func nextWorkDue(after moment: Date) async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        WITH RECURSIVE \(OpenSends.waitingLanes)
                        SELECT min(due) FROM (
                            SELECT min(next_due_at) AS due FROM campaigns
                                WHERE state = 'active' AND next_due_at > :moment
                            UNION ALL SELECT (SELECT min(due_at) FROM pending_triggers
                                WHERE campaign_id = campaigns.id AND due_at > :moment)
                                FROM campaigns WHERE state = 'active'
                            UNION ALL SELECT min(scheduled_at) FROM sends
                                WHERE \(OpenSends.condition) AND state = 'scheduled'
                                    AND scheduled_at > :moment
                            UNION ALL SELECT (SELECT min(due_at) FROM \(OpenSends.waitingRows)
                                WHERE send_id = waiting.send_id AND lane = waiting.lane AND state = 0
                                    AND due_at > :moment)
                                FROM waiting WHERE lane IS NOT NULL
                            UNION ALL SELECT min(next_look_at) FROM journeys
                                WHERE state = 'active' AND next_look_at > :moment
                            UNION ALL SELECT min(
                                coalesce((SELECT min(due_at) FROM journey_entries
                                    WHERE journey_id = journeys.id AND end IS NULL
                                        AND due_at > :moment), :never),
                                coalesce((SELECT min(due_at) FROM journey_requests
                                    WHERE journey_id = journeys.id AND due_at > :moment), :never))
                                FROM journeys WHERE state IN ('active', 'draining')
                            UNION ALL SELECT min(due_at) FROM journey_calls
                                WHERE state = 0 AND due_at > :moment)
                        WHERE due < :never
                        """
                ),
                arguments: ["moment": moment.milliseconds, "never": Int64.max]
            ).map(Date.init(milliseconds:))
        }
    }
}
