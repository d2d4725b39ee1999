import Reports
import WebPages

extension Words {
    /// An interval of a report, as people say it, on the calendar it belongs to.
    func name(of interval: ReportInterval) -> String {
        let (start, zone) = (interval.start, interval.zone)
        return switch interval.unit {
        case .hour: dayAndHour(start, in: zone)
        case .day: day(start, in: zone)
        case .week: self("reports.week_from", ["day": day(start, in: zone)])
        case .month: month(start, in: zone)
        }
    }
}
