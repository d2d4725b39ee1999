/// A metric as Prometheus knows it: its name, what it counts, and the names of its labels.
package struct MetricDefinition: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// Grows from the start of the process on.
        case counter
        /// Goes up and down.
        case gauge
        /// Counts observations, in seconds, by upper bounds, which increase.
        case histogram(bounds: [Double])

        /// The name in the text format.
        package var name: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    package var name: String
    package var kind: Kind
    package var help: String
    /// The names of the labels. Their values come from short lists: routes, providers, codes and
    /// the numbers of apps, never names of people, tokens or texts from outside.
    package var labels: [String]

    package init(_ name: String, _ kind: Kind, labels: [String] = [], _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }

    /// A reading of the metric at the moment of a question.
    package func sample(_ value: Double, _ labels: String...) -> MetricSample {
        MetricSample(metric: self, labels: labels, value: value)
    }
}

/// The value of a metric that is read when somebody asks, and is not kept.
package struct MetricSample: Sendable, Hashable {
    package var metric: MetricDefinition
    /// The values of the metric's labels, in their order.
    package var labels: [String]
    package var value: Double
}
