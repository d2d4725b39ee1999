import Reports

// What the choices of reports are called.

extension ReportUnit {
    var wordKey: String {
        switch self {
        case .hour: "reports.unit.hour"
        case .day: "reports.unit.day"
        case .week: "reports.unit.week"
        case .month: "reports.unit.month"
        }
    }
}

extension RetentionQuestion.Cohort {
    var wordKey: String {
        switch self {
        case .first: "reports.cohort.first"
        case .recurring: "reports.cohort.recurring"
        }
    }
}

extension RetentionQuestion.Mode {
    var wordKey: String {
        switch self {
        case .nDay: "reports.mode.n_day"
        case .unbounded: "reports.mode.unbounded"
        case .rolling: "reports.mode.rolling"
        }
    }
}

extension SeriesQuestion.Measure {
    var wordKey: String {
        switch self {
        case .total, .perUser: "reports.measure.total"
        case .users: "reports.measure.users"
        }
    }
}

extension PathsQuestion.Direction {
    var wordKey: String {
        switch self {
        case .after: "reports.direction.after"
        case .before: "reports.direction.before"
        }
    }
}
