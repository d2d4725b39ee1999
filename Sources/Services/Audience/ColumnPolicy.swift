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
    /// Neither does one whose table would take more memory than this, in bytes.
    package var maxTableMemory = 256 << 20
    /// Maximum memory of all tables, in bytes; those that were not used for the longest time make
    /// room.
    package var maxMemoryOfTables = 512 << 20
    /// Maximum number of properties in a table.
    package var maxTableProperties = 16

    package init(
        rowOnly: Set<StandardAttribute> = [.externalID, .email, .phone],
        maxAttributes: Int = 5_000
    ) {
        self.rowOnly = rowOnly.subtracting([.timeZone])
        self.maxAttributes = maxAttributes
    }
}
