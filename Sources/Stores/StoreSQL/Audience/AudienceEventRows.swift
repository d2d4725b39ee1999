import Model
import Ports
import Relational
import Segments

/// Reads occurrences with the fields that the segment language needs.
enum AudienceEventRows {
    /// Columns of `events` in the order that `event` reads.
    static let columns = "events.id, events.name_id, events.time, events.profile_id"

    /// An occurrence of which only the properties cannot be read has none, and counts: it is in the
    /// columns too. A purchase without its price and product is none.
    static func event(
        _ row: RawRows,
        activity: Activity,
        needsProperties: Bool,
        _ unreadable: UnreadableRows
    ) throws -> AudienceEvent {
        try StoredTime.check(row.integer(2))
        var event = AudienceEvent(
            profile: row.integer(3),
            activity: activity,
            time: row.integer(2).secondsFromMilliseconds
        )
        guard needsProperties || activity == .purchase else { return event }
        guard activity == .purchase else {
            event.properties =
                try unreadable.value("events", row.integer(0)) { try Self.properties(row) } ?? [:]
            return event
        }
        let properties = try Self.properties(row)
        if case .string(let product)? = properties["product_id"] { event.product = product }
        if case .number(let price)? = properties["price"] {
            guard let micros = Int64(exactly: (price * 1_000_000).rounded()) else {
                throw StoreError(.unreadable, .amount, ["value": "\(price)"])
            }
            event.priceInMicros = micros
        }
        if case .number(let quantity)? = properties["quantity"],
            let pieces = Int(exactly: quantity)
        {
            event.quantity = pieces
        }
        if needsProperties { event.properties = properties }
        return event
    }

    private static func properties(_ row: RawRows) throws -> [String: AttributeValue] {
        try row.withText(4) { try StoredValueReader.object($0) }
    }
}
