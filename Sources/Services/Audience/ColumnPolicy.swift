import Segments

/// The attributes that the columns store.
package struct ColumnPolicy: Sendable {
    /// Attributes that are read from the rows: nearly every user has a different value, so a column
    /// would be expensive, and filters on them are rare. The rows give exact results. Time zones
    /// are never among them, because days are days of the user's calendar.
    package let rowOnly: Set<StandardAttribute>
    /// Maximum number of custom attributes (with the members of objects) in columns; others are
    /// read from the rows.
    package var maxAttributes: Int
    /// An activity with more occurrences gets no table of its properties; reports read its rows.
    package var maxTableOccurrences = 5_000_000
    /// Neither does a property with more different values: a table would take more memory than it
    /// saves time.
    package var maxTableValues = 500_000
    /// Maximum number of occurrences in all tables; those that were not used for the longest time
    /// make room.
    package var maxOccurrencesOfTables = 10_000_000

    package init(
        rowOnly: Set<StandardAttribute> = [.externalID, .email, .phone],
        maxAttributes: Int = 5_000
    ) {
        self.rowOnly = rowOnly.subtracting([.timeZone])
        self.maxAttributes = maxAttributes
    }
}
