import Logging
import Ports
import StoreSQL

extension SQLStore {
    /// The store of a server, which has claimed the database; rows that cannot be read are named in the log.
    convenience init(_ settings: Settings, _ logger: Logger) throws {
        try self.init(
            at: settings.database,
            pooler: settings.databasePooler,
            synchronous: settings.synchronous,
            isClaimed: true,
            copiesBeforeUpdate: settings.copiesBeforeUpdate,
            onUnreadable: { row in
                logger.error(
                    "a stored row cannot be read and is set aside; see ./noroshi doctor",
                    metadata: [
                        "row.table": "\(row.table)", "row.number": "\(row.id)",
                        "row.reason": "\(row.reason)",
                    ]
                )
            }
        )
    }
}
