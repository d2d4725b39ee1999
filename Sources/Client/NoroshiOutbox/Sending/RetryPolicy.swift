import Foundation
import NoroshiWire

/// The next action after an attempt to send a batch, as a function of the attempt and its outcome.
struct RetryPolicy {
    /// Maximum delay between two attempts that the SDK chooses itself, in seconds.
    static let pauseMaximum: TimeInterval = 300
    /// Maximum delay that the server can request, in seconds.
    static let retryAfterMaximum: TimeInterval = 3600

    /// The outcome of an attempt.
    enum Outcome: Equatable {
        /// The batch was processed; the receipt has the outcome of each record.
        case accepted
        /// No response, or an error of the server (5xx, 408).
        case unavailable(retryAfter: TimeInterval?)
        /// Too many requests (429).
        case throttled(retryAfter: TimeInterval?)
        /// The batch was rejected as a whole (400, 413, 422).
        case refused(String)
        /// The SDK key is wrong (401, 403).
        case keyRefused(String)
        /// The user's signed token was rejected (401 with a reason).
        case signatureRefused(SDKAuthenticationFailure)
    }

    /// The next action.
    enum Decision: Equatable {
        /// Send the next batch.
        case proceed
        /// Send the same records again after a delay in seconds.
        case retry(after: TimeInterval)
        /// Send fewer records at once; a single record is discarded.
        case split(reason: String)
        /// Send nothing until the app calls the SDK or is restarted.
        case stop(reason: String)
        /// Ask the app for a new token, then retry.
        case awaitSignature(SDKAuthenticationFailure)
    }

    /// The decision after attempt number `attempt`, counted from 1; `random` is between 0 and 1.
    static func decision(attempt: Int, outcome: Outcome, random: Double) -> Decision {
        switch outcome {
        case .accepted:
            return .proceed
        case .unavailable(let retryAfter), .throttled(let retryAfter):
            if let retryAfter {
                // A little later than requested, so that not all installations retry at once.
                return .retry(after: min(retryAfter, retryAfterMaximum) * (1 + 0.1 * random))
            }
            let full = min(pauseMaximum, pow(2, Double(min(attempt, 10))))
            return .retry(after: full * (0.5 + 0.5 * random))
        case .refused(let reason):
            return .split(reason: reason)
        case .keyRefused(let reason):
            return .stop(reason: reason)
        case .signatureRefused(let failure):
            return .awaitSignature(failure)
        }
    }

    /// The outcome that a response means.
    static func outcome(of response: NoroshiResponse, now: Date) -> Outcome {
        let retryAfter = response.headers["retry-after"].flatMap { seconds(of: $0, now: now) }
        let failure = try? JSONDecoder().decode(SDKFailure.self, from: response.body)
        let reason = failure?.message ?? "the server answered \(response.status)"
        switch response.status {
        case 200..<300: return .accepted
        case 401, 403:
            if let authentication = failure?.authentication {
                return .signatureRefused(authentication)
            }
            return .keyRefused(reason)
        case 429: return .throttled(retryAfter: retryAfter)
        case 408, 500...: return .unavailable(retryAfter: retryAfter)
        case 400, 413, 422: return .refused(reason)
        // A redirect or a missing path: something other than Noroshi's server responded.
        default: return .unavailable(retryAfter: retryAfter)
        }
    }

    /// The seconds that a Retry-After field asks for (RFC 9110, 10.2.3: a number or a date).
    static func seconds(of field: String, now: Date) -> TimeInterval? {
        if let seconds = TimeInterval(field), seconds.isFinite { return max(0, seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: field).map { max(0, $0.timeIntervalSince(now)) }
    }
}
