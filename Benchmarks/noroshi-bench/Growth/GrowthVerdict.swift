import Foundation

/// Whether the file stopped growing, and whether anything became slower.
struct GrowthVerdict {
    let text: String

    /// - Parameter period: In days.
    init(_ months: [GrowthMonth], period: Int) {
        // Rows are removed a day after they are old, and the month has to be whole.
        let full = (period + 1) / 30 + 1
        guard months.count > full + 1, let last = months.last else {
            text = "Too few days for a verdict: the period is reached in month \(full)."
            return
        }
        let first = months[full]
        let perMonth =
            Double(last.bytes - first.bytes) / Double(months.count - 1 - full) / Double(first.bytes)
        let seconds = months.reduce(Duration.zero) { $0 + $1.elapsed }
        text = String(
            format: """
                From month %d, when the period was reached, to month %d the file grew by %.2f %% a \
                month. Ingestion went from %.0f to %.0f events/s, the slowest answer of a hundred \
                from %.1f to %.1f ms. %d events took %.0f minutes.
                """,
            first.number,
            last.number,
            perMonth * 100,
            first.rate,
            last.rate,
            first.slowestAnswer,
            last.slowestAnswer,
            months.reduce(0) { $0 + $1.events },
            seconds.inSeconds / 60
        )
    }
}
