import Foundation

/// The result of the APNs measurement.
struct APNsReport: Encodable {
    struct Run: Encodable {
        var inFlight: Int
        var requestsPerSecond: Double
        var h2loadRequestsPerSecond: Double?
        var peakMemoryBytes: Int

        var share: Double? {
            h2loadRequestsPerSecond.map { requestsPerSecond / $0 }
        }

        enum CodingKeys: String, CodingKey {
            case inFlight = "in_flight"
            case requestsPerSecond = "requests_per_second"
            case h2load = "h2load_requests_per_second"
            case share = "share_of_h2load"
            case memory = "peak_memory_bytes"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(inFlight, forKey: .inFlight)
            try container.encode(requestsPerSecond.rounded(), forKey: .requestsPerSecond)
            try container.encode(h2loadRequestsPerSecond?.rounded(), forKey: .h2load)
            try container.encode(share, forKey: .share)
            try container.encode(peakMemoryBytes, forKey: .memory)
        }
    }

    var requests: Int
    var rounds: Int
    var runs: [Run] = []
    /// Why the share is missing.
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
            print("\(line), at most \(run.peakMemoryBytes / 1_048_576) MB")
        }
        if let reason { print(reason) }
    }
}
