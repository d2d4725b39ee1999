/// When an anniversary of February 29 is celebrated in other years.
package enum LeapDay: String, Sendable, Hashable, CaseIterable {
    /// On the day before March 1; the default.
    case february28 = "february_28"
    case march1 = "march_1"
    /// Not at all: only every four years.
    case never

    /// Whether `day` is the anniversary of `first`.
    package func isAnniversary(_ day: CivilDay, of first: CivilDay) -> Bool {
        if day.month == first.month, day.day == first.day { return true }
        guard first.month == 2, first.day == 29,
            CivilDay(year: day.year, month: 2, day: 29) == nil
        else { return false }
        return switch self {
        case .february28: day.month == 2 && day.day == 28
        case .march1: day.month == 3 && day.day == 1
        case .never: false
        }
    }
}
