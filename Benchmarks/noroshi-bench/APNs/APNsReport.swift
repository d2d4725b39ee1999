import Foundation

/// The result of the APNs measurement.
struct APNsReport: Encodable {
    struct Run: Encodable {
        var inFlight: Int
        var requestsPerSecond: Double
        var h2loadRequestsPerSecond: Double?
        /// The client's processor time per push, in seconds.
        var processorSeconds: Double
        var h2loadProcessorSeconds: Double?
        var peakMemoryBytes: Int

        /// The ratio of processor times, which excludes waiting for the server.
        var processorShare: Double? {
            h2loadProcessorSeconds.map { $0 / processorSeconds }
        }

        var share: Double? {
            h2loadRequestsPerSecond.map { requestsPerSecond / $0 }
        }

        enum CodingKeys: String, CodingKey {
            case inFlight = "in_flight"
            case requestsPerSecond = "requests_per_second"
            case h2load = "h2load_requests_per_second"
            case share = "share_of_h2load"
            case cost = "processor_microseconds"
            case h2loadCost = "h2load_processor_microseconds"
            case processorShare = "processor_share_of_h2load"
            case memory = "peak_memory_bytes"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(inFlight, forKey: .inFlight)
            try container.encode(requestsPerSecond.rounded(), forKey: .requestsPerSecond)
            try container.encode(h2loadRequestsPerSecond?.rounded(), forKey: .h2load)
            try container.encode(share, forKey: .share)
            try container.encode(processorSeconds * 1e6, forKey: .cost)
            try container.encode(h2loadProcessorSeconds.map { $0 * 1e6 }, forKey: .h2loadCost)
            try container.encode(processorShare, forKey: .processorShare)
            try container.encode(peakMemoryBytes, forKey: .memory)
        }
    }

    var requests: Int
    var rounds: Int
    var runs: [Run] = []
    /// The reason why the ratio is missing.
    var reason: String?

    init(requests: Int, rounds: Int) {
        self.requests = requests
        self.rounds = rounds
    }

    enum CodingKeys: String, CodingKey {
        case benchmark, requests, rounds, runs, reason
        case share = "share_of_h2load"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("apns", forKey: .benchmark)
        try container.encode(requests, forKey: .requests)
        try container.encode(rounds, forKey: .rounds)
        try container.encode(runs, forKey: .runs)
        try container.encode(runs.first?.share, forKey: .share)
        try container.encode(reason, forKey: .reason)
    }

    func show(asJSON: Bool) throws {
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(self), as: UTF8.self))
            return
        }
        for run in runs {
            let rate = Int(run.requestsPerSecond.rounded())
            var line = "\(run.inFlight) in flight: \(rate) pushes/s"
            if let h2load = run.h2loadRequestsPerSecond, let share = run.share {
                let percent = Int((share * 100).rounded())
                line += ", h2load \(Int(h2load.rounded()))/s, share \(percent) %"
            }
            if let share = run.processorShare {
                line += ", by processor time \(Int((share * 100).rounded())) %"
            }
            print("\(line), at most \(run.peakMemoryBytes / 1_048_576) MB")
        }
        if let reason { print(reason) }
    }
}
