import Model
import Relational

/// The per-user properties of a send; most sends have none.
struct SendProperties {
    private let send: Int64
    private let database: Database
    private let exist: Bool

    init(of send: Int64, _ database: Database) throws {
        self.send = send
        self.database = database
        exist =
            try Bool.fetchOne(
                try database.cachedStatement(
                    sql: "SELECT EXISTS (SELECT TRUE FROM send_properties WHERE send_id = ?)"
                ),
                arguments: [send]
            ) ?? false
    }

    func value(for profile: ProfileID) throws -> MessageProperties {
        guard exist,
            let text = try String.fetchOne(
                try database.cachedStatement(
                    sql: """
                        SELECT properties FROM send_properties
                        WHERE send_id = ? AND profile_id = ?
                        """
                ),
                arguments: [send, profile.rawValue]
            )
        else { return MessageProperties() }
        return try StoredJSON.value(text, as: MessageProperties.self)
    }
}
