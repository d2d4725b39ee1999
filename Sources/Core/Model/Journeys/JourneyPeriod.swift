import Foundation

/// What happened in a journey in one period.
package struct JourneyPeriod: Sendable, Hashable {
    package var start: Date
    package var entries: Int
    /// By the time of the conversion.
    package var conversions: Int
    /// Conversions of the entries of this period, whenever they were.
    package var conversionsByEntry: Int
    /// Entries that ended in it, for whatever reason.
    package var ends: Int

    package init(
        start: Date,
        entries: Int = 0,
        conversions: Int = 0,
        conversionsByEntry: Int = 0,
        ends: Int = 0
    ) {
        self.start = start
        self.entries = entries
        self.conversions = conversions
        self.conversionsByEntry = conversionsByEntry
        self.ends = ends
    }
}
