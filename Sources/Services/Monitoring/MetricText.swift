/// Prometheus' text format, version 0.0.4.
struct MetricText {
    private(set) var text = ""

    mutating func begin(_ metric: MetricDefinition) {
        let help = metric.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        text += "# HELP \(metric.name) \(help)\n# TYPE \(metric.name) \(metric.kind.name)\n"
    }

    /// - Parameter bound: The upper bound of a histogram's bucket.
    mutating func add(
        _ metric: MetricDefinition,
        _ labels: [String],
        _ value: Double,
        suffix: String = "",
        bound: String? = nil
    ) {
        text += metric.name + suffix
        var parts = zip(metric.labels, labels).map { name, value in
            "\(name)=\"\(Self.escaped(value))\""
        }
        if let bound { parts.append("le=\"\(bound)\"") }
        if !parts.isEmpty { text += "{" + parts.joined(separator: ",") + "}" }
        text += " " + Self.number(value) + "\n"
    }

    /// A whole number without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else {
            return value
        }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
