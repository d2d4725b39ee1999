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
    /// answer is lost.
    package var loseAnswer: Bool?
    /// Reset the stream with this HTTP/2 error code; 7 says that it was not looked at.
    package var reset: UInt32?
    /// Send `GOAWAY` with this reason; the request is not looked at.
    package var goAway: String?
    /// Cut the connection.
    package var drop: Bool?

    /// A day, in milliseconds.
    static let maxDelay = 86_400_000
    /// The end of the year 9999, in milliseconds since 1970.
    private static let lastTimestamp: Int64 = 253_402_300_799_999
    private static let maxWordLength = 200

    package init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case token, probability, skip, times, status, reason, timestamp, stall, reset, drop
        case afterSeconds = "after_seconds"
        case forSeconds = "for_seconds"
        case retryAfter = "retry_after"
        case delayMilliseconds = "delay_ms"
        case goAway = "goaway"
        case loseAnswer = "lose_answer"
    }

    /// The names in a script.
    static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    /// What is wrong with the fault itself.
    var problem: String? {
        if let probability, !(0...1).contains(probability) {
            return "probability is \(probability); it must be between 0 and 1"
        }
        if let status, !(200...599).contains(status) {
            return "status is \(status); it must be between 200 and 599"
        }
        for (name, value) in [
            ("skip", skip), ("times", times), ("delay_ms", delayMilliseconds),
            ("retry_after", retryAfter),
        ] {
            if let value, value < 0 { return "\(name) is negative" }
        }
        for (name, value) in [("after_seconds", afterSeconds), ("for_seconds", forSeconds)] {
            if let value, value < 0 { return "\(name) is negative" }
        }
        if let delayMilliseconds, delayMilliseconds > Self.maxDelay {
            return "delay_ms is \(delayMilliseconds); a day (\(Self.maxDelay)) is the longest"
        }
        if let timestamp, !(0...Self.lastTimestamp).contains(timestamp) {
            return "timestamp is \(timestamp); it counts milliseconds since 1970, to the year 9999"
        }
        if let problem = problemOfWords { return problem }
        return problemOfEnding
    }

    /// Words go into headers, frames and JSON as they are.
    private var problemOfWords: String? {
        for (name, value) in [("reason", reason), ("goaway", goAway)] {
            guard let value else { continue }
            let isWord = value.utf8.allSatisfy { byte in
                (0x20..<0x7f).contains(byte) && byte != UInt8(ascii: "\"")
                    && byte != UInt8(ascii: "\\")
            }
            guard isWord, value.utf8.count <= Self.maxWordLength else {
                return """
                    \(name) is at most \(Self.maxWordLength) ASCII characters without quotes and \
                    backslashes
                    """
            }
        }
        return nil
    }

    private var problemOfEnding: String? {
        let endings: [(name: String, isGiven: Bool)] = [
            ("status", status != nil), ("stall", stall == true),
            ("lose_answer", loseAnswer == true), ("reset", reset != nil),
            ("goaway", goAway != nil), ("drop", drop == true),
        ]
        let given = endings.filter(\.isGiven).map(\.name)
        if given.count > 1 {
            return """
                \(given.joined(separator: " and ")) cannot happen to the same request; make a \
                fault of each
                """
        }
        if given.isEmpty, delayMilliseconds == nil {
            return """
                nothing happens: give status, delay_ms, stall, lose_answer, reset, goaway or drop
                """
        }
        if status == nil {
            for (name, isGiven) in [
                ("reason", reason != nil), ("retry_after", retryAfter != nil),
                ("timestamp", timestamp != nil),
            ] where isGiven {
                return "\(name) belongs to an answer; give its status"
            }
        }
        return nil
    }
}
