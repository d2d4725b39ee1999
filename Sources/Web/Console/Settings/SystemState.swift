import Audience
import Foundation
import Reasons

/// The state of the server and its database, for an operator.
package struct SystemState: Sendable, Hashable {
    /// A stored row that cannot be read.
    package struct SetAsideRow: Sendable, Hashable {
        package var table: String
        package var number: Int64
        package var reason: Reason

        package init(table: String, number: Int64, reason: Reason) {
            self.table = table
            self.number = number
            self.reason = reason
        }
    }

    /// The version of the server, such as `0.2.0`.
    package var version: String
    /// How much of the audience is in memory.
    package var audience: AudienceStatus
    /// The size of the database with its log, in bytes; `nil` if there is no file.
    package var databaseBytes: Int64?
    /// The part of it that removed rows have left for the next ones.
    package var freeBytes: Int64?
    /// The first unreadable rows met since the start.
    package var setAside: [SetAsideRow]
    package var setAsideTotal: Int
    /// Since when nothing is sent, as after a restore; `nil` if it is.
    package var heldSince: Date?

    package init(
        version: String,
        audience: AudienceStatus,
        databaseBytes: Int64?,
        freeBytes: Int64? = nil,
        setAside: [SetAsideRow],
        setAsideTotal: Int,
        heldSince: Date? = nil
    ) {
        self.version = version
        self.audience = audience
        self.databaseBytes = databaseBytes
        self.freeBytes = freeBytes
        self.setAside = setAside
        self.setAsideTotal = setAsideTotal
        self.heldSince = heldSince
    }
}
