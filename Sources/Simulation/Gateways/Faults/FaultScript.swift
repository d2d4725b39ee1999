import Foundation

/// What goes wrong at a simulated service, and when; read from a JSON file.
package struct FaultScript: Sendable, Hashable, Codable {
    /// Seeds the choice of faults by probability, so that a run can be repeated.
    package var seed: UInt64
    /// Added to every answer.
    package var latencyMilliseconds: Int
    /// The first fault that fits a request happens to it.
    package var faults: [Fault]

    package init(seed: UInt64 = 1, latencyMilliseconds: Int = 0, faults: [Fault] = []) {
        self.seed = seed
        self.latencyMilliseconds = latencyMilliseconds
        self.faults = faults
    }

    /// Reads a script; a mistake in it is named with its place.
    package init(json: Data) throws(FaultScriptError) {
        do {
            self = try JSONDecoder().decode(FaultScript.self, from: json)
        } catch let error as DecodingError {
            throw FaultScriptError(error)
        } catch {
            throw FaultScriptError(description: "The fault script cannot be read: \(error)")
        }
        for (index, fault) in faults.enumerated() {
            if let problem = fault.problem {
                throw FaultScriptError(description: "faults[\(index)]: \(problem)")
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed) ?? 1
        latencyMilliseconds =
            try container.decodeIfPresent(Int.self, forKey: .latencyMilliseconds) ?? 0
        faults = try container.decodeIfPresent([Fault].self, forKey: .faults) ?? []
    }

    private enum CodingKeys: String, CodingKey {
        case seed, faults
        case latencyMilliseconds = "latency_ms"
    }
}

/// One thing that goes wrong.
package struct Fault: Sendable, Hashable, Codable {
    // Which requests.

    /// Only requests for this device token (or Web Push endpoint path).
    package var token: String?
    /// Between 0 and 1; without it every fitting request is hit.
    package var probability: Double?
    /// So many fitting requests pass first.
    package var skip: Int?
    /// The fault happens at most so many times.
    package var times: Int?
    /// An outage window: seconds after the simulator's start, and how long it lasts.
    package var afterSeconds: Double?
    package var forSeconds: Double?

    // What happens.

    /// Answer with this status and reason instead of looking at the request.
    package var status: Int?
    package var reason: String?
    /// With 410: milliseconds since 1970; now, if it is left out.
    package var timestamp: Int64?
    /// Seconds, as the `Retry-After` header.
    package var retryAfter: Int?
    /// Answer late.
    package var delayMilliseconds: Int?
    /// Never answer.
    package var stall: Bool?
    /// Look at the request as usual, but never answer: what an accepted push looks like whose
    /// answer is lost. APNs only.
    package var loseAnswer: Bool?
    /// Reset the stream with this HTTP/2 error code; 7 says that it was not looked at.
    package var reset: UInt32?
    /// Send `GOAWAY` with this reason; the request is not looked at.
    package var goAway: String?
    /// Cut the connection.
    package var drop: Bool?

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case token, probability, skip, times, status, reason, timestamp, stall, reset, drop
        case afterSeconds = "after_seconds"
        case forSeconds = "for_seconds"
        case retryAfter = "retry_after"
        case delayMilliseconds = "delay_ms"
        case goAway = "goaway"
        case loseAnswer = "lose_answer"
    }

    /// What is wrong with the fault itself.
    var problem: String? {
        if let probability, !(0...1).contains(probability) {
            return "probability is \(probability); it must be between 0 and 1"
        }
        if let status, !(200...599).contains(status) {
            return "status is \(status); it must be between 200 and 599"
        }
        for (name, value) in [("skip", skip), ("times", times), ("delay_ms", delayMilliseconds)] {
            if let value, value < 0 { return "\(name) is negative" }
        }
        let actions: [Bool] = [
            status != nil, delayMilliseconds != nil, stall == true, reset != nil, goAway != nil,
            drop == true, loseAnswer == true,
        ]
        if !actions.contains(true) {
            return """
                nothing happens: give status, delay_ms, stall, lose_answer, reset, goaway or drop
                """
        }
        return nil
    }
}

/// A mistake in a fault script.
package struct FaultScriptError: Error, Hashable, CustomStringConvertible {
    package var description: String

    init(description: String) {
        self.description = description
    }

    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.map { key in
                key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)"
            }
            let place = path.joined().drop { $0 == "." }
            description = "The fault script is wrong at \"\(place)\": \(context.debugDescription)"
        @unknown default:
            description = "The fault script is not valid JSON."
        }
    }
}
