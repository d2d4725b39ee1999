import Segments

/// What the columns hold.
package struct AudiencePolicy: Sendable {
    /// Attributes left to the rows: nearly every user has another value, so a column would cost
    /// much and filters on them are rare. Filters on them are answered from rows, exactly. Time zones
    /// are never among them: days are days of the user's calendar.
    package let rowOnly: Set<StandardAttribute>
    /// Custom attributes (with the members of objects) beyond this number are left to the rows.
    package var mostAttributes: Int

    package init(
        rowOnly: Set<StandardAttribute> = [.externalID, .email, .phone],
        mostAttributes: Int = 5_000
    ) {
        self.rowOnly = rowOnly.subtracting([.timeZone])
        self.mostAttributes = mostAttributes
    }
}
