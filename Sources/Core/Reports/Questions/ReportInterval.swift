import Foundation

/// An hour, day, week or month of a report.
package struct ReportInterval: Sendable, Hashable {
    /// When it begins.
    package var start: Date
    package var unit: ReportUnit
    /// The zone whose calendar it belongs to.
    package var zone: TimeZone
    /// What programs call it: the date of its first day, or the moment at which its hour begins.
    package var name: String

    package init(start: Date, unit: ReportUnit, zone: TimeZone, name: String) {
        self.start = start
        self.unit = unit
        self.zone = zone
        self.name = name
    }
}
