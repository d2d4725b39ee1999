import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func dispatchList(
        of send: SendID,
        matching filter: DispatchFilter,
        after cursor: DeviceID?,
        limit: Int
    ) async throws -> [DispatchListRow] {
        var arguments: StatementArguments = [
            "send": send.rawValue, "after": cursor?.rawValue ?? 0, "limit": limit,
        ]
        let condition: String
        switch filter {
        case .all: condition = "TRUE"
        case .state(let state):
            condition = "dispatches.state = :state"
            arguments += ["state": state.rawValue]
        case .reason(let reason):
            condition = "dispatches.reason = :reason"
            arguments += ["reason": reason]
        case .received: condition = "received_at IS NOT NULL"
        case .opened: condition = "\(Self.openedAt) IS NOT NULL"
        case .openedDirectly: condition = "opened_at IS NOT NULL"
        case .influenced: condition = "influenced_at IS NOT NULL AND opened_at IS NULL"
        case .dismissed: condition = "dismissed_at IS NOT NULL"
        }
        return try await read { [arguments] database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT dispatches.*, profiles.external_id, profiles.first_name,
                        profiles.public_id, devices.model,
                        coalesce(devices.platform, device_platform) AS platform
                    FROM dispatches
                    LEFT JOIN profiles ON profiles.id = dispatches.profile_id
                    LEFT JOIN devices ON devices.id = dispatches.device_id
                    WHERE send_id = :send AND device_id > :after AND \(condition)
                    ORDER BY device_id LIMIT :limit
                    """,
                arguments: arguments
            ).compactMap { row in
                DispatchReport(row: row).map {
                    DispatchListRow(device: DeviceID(row["device_id"]), report: $0)
                }
            }
        }
    }
}
