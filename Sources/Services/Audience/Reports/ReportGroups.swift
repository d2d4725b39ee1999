import Reports

/// The groups of a breakdown that are shown, by number. There are few enough for a bit each.
struct ReportGroups: Sendable {
    let shown: [ReportGroup]
    private let numbers: [String?: Int]

    init(shown: [ReportGroup]) {
        self.shown = shown
        numbers = [:]
    }

    /// - Parameter counts: How many users each value has.
    init(_ counts: [String?: Int], limit: Int) {
        let ordered = counts.sorted { left, right in
            if left.value != right.value { return left.value > right.value }
            guard let one = left.key else { return false }
            guard let two = right.key else { return true }
            return ReportValue.precedes(one, two)
        }
        var shown: [ReportGroup] = []
        var numbers: [String?: Int] = [:]
        for (value, _) in ordered.prefix(limit) {
            numbers[value] = shown.count
            shown.append(value.map(ReportGroup.value) ?? .missing)
        }
        if ordered.count > limit { shown.append(.other) }
        self.shown = shown
        self.numbers = numbers
    }

    /// What is not shown by itself is in the last group.
    func number(of value: String?) -> Int { numbers[value] ?? max(0, shown.count - 1) }
}
