import Foundation

/// The result of the delivery measurement.
struct DeliveryReport: Encodable {
    struct Run: Encodable {
        /// Its kind.
        var database: String
        var recipients: Int
        var result: DeliveryRun.Result
        var receiverProcessorSeconds: Double

        var rate: Double { Double(recipients) / result.seconds }
        /// Processor time per push on the sending side, in microseconds.
        var cost: Double { result.processorSeconds / Double(recipients) * 1e6 }
        var receiverCost: Double { receiverProcessorSeconds / Double(recipients) * 1e6 }
        /// The rate of two processors without other load, in pushes per second.
        var rateOfTwoProcessors: Double { 2e6 / (cost + receiverCost) }

        private enum CodingKeys: String, CodingKey {
            case database, recipients, seconds
            case planningSeconds = "planning_seconds"
            case rate = "pushes_per_second"
            case cost = "processor_microseconds"
            case receiverCost = "receiver_processor_microseconds"
            case rateOfTwoProcessors = "pushes_per_second_of_two_processors"
            case memory = "peak_memory_bytes"
            case fileMemory = "file_memory_bytes"
            case audienceMemory = "audience_memory_bytes"
            case smallDelays = "small_push_delay_milliseconds"
            case maxSmallDelay = "small_push_delay_milliseconds_max"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(database, forKey: .database)
            try container.encode(recipients, forKey: .recipients)
            try container.encode(result.seconds, forKey: .seconds)
            try container.encode(result.planningSeconds, forKey: .planningSeconds)
            try container.encode(rate.rounded(), forKey: .rate)
            try container.encode(cost, forKey: .cost)
            try container.encode(receiverCost, forKey: .receiverCost)
            try container.encode(rateOfTwoProcessors.rounded(), forKey: .rateOfTwoProcessors)
            try container.encode(result.peakMemoryBytes, forKey: .memory)
            try container.encode(result.fileMemoryBytes, forKey: .fileMemory)
            try container.encode(result.audienceMemoryBytes, forKey: .audienceMemory)
            try container.encode(result.smallDelays.median, forKey: .smallDelays)
            try container.encode(result.smallDelays.max(), forKey: .maxSmallDelay)
        }
    }

    var benchmark = "delivery"
    var receiver: String
    var runs: [Run] = []

    /// The peak of the largest run as a multiple of that of the smallest; `nil` for a single size.
    var memoryRatio: Double? {
        guard let small = runs.min(by: { $0.recipients < $1.recipients }),
            let large = runs.max(by: { $0.recipients < $1.recipients }),
            large.recipients > small.recipients
        else { return nil }
        return Double(large.result.peakMemoryBytes) / Double(small.result.peakMemoryBytes)
    }

    private enum CodingKeys: String, CodingKey {
        case benchmark, receiver, runs
        case memoryRatio = "peak_memory_ratio"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(benchmark, forKey: .benchmark)
        try container.encode(receiver, forKey: .receiver)
        try container.encode(runs, forKey: .runs)
        try container.encodeIfPresent(memoryRatio, forKey: .memoryRatio)
    }

    init(receiver: String) {
        self.receiver = receiver
    }

    /// Prints one run.
    func show(_ run: Run) {
        print(
            """
            \(run.database), \(run.recipients) recipients to \(receiver): \(Int(run.rate)) pushes/s, \
            \(run.result.seconds.shortened) s (planned in \
            \(run.result.planningSeconds.shortened) s)
              processor time of a push: \(run.cost.shortened) µs, receiver \
            \(run.receiverCost.shortened) µs; two free processors: \
            \(Int(run.rateOfTwoProcessors)) pushes/s
              at most \(run.result.peakMemoryBytes.megabytes) MB, of which \
            \(run.result.fileMemoryBytes.megabytes) MB are pages of the program and other files, \
            \(run.result.audienceMemoryBytes.megabytes) MB the columns of all users
            """
        )
        if let median = run.result.smallDelays.median, let max = run.result.smallDelays.max() {
            print(
                """
                  a push to one user meanwhile: on its way after \(median.shortened) ms, \
                at most \(max.shortened) ms (\(run.result.smallDelays.count) tries)
                """
            )
        }
        fflush(nil)
    }

    /// Prints a comparison of all runs.
    func showComparison() {
        guard let memoryRatio else { return }
        print("memory of the largest size: \(memoryRatio.shortened) times the smallest's")
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Int {
    fileprivate var megabytes: Int { self / 1_048_576 }
}

extension Double {
    /// Rounded to one decimal.
    fileprivate var shortened: Double { (self * 10).rounded() / 10 }
}
