import Foundation
import NoroshiWire

/// What to do after an attempt to send a batch: a function of the attempt and its outcome.
struct RetryPolicy {
    /// The longest pause between two attempts that the SDK chooses itself, in seconds.
    static let pauseMaximum: TimeInterval = 300
    /// The longest pause that a server may ask for, in seconds.
    static let retryAfterMaximum: TimeInterval = 3600

    /// What the server, or the lack of one, said.
    enum Outcome: Equatable {
        /// The batch was read; the receipt says what became of each record.
        case accepted
        /// No answer, or a failure of the server's own (5xx, 408).
        case unavailable(retryAfter: TimeInterval?)
        /// Too many requests (429).
        case throttled(retryAfter: TimeInterval?)
        /// The batch is refused as a whole (400, 413, 422).
        case refused(String)
        /// The SDK key is wrong (401, 403).
        case keyRefused(String)
        /// The user's signed token is refused (401 with a reason).
        case signatureRefused(SDKAuthenticationFailure)
    }

    /// What to do.
    enum Decision: Equatable {
        /// Go on with the next batch.
        case proceed
        /// Try the same records again after a pause in seconds.
        case retry(after: TimeInterval)
        /// Send fewer records at once; if it is one already, give it up.
        case split(reason: String)
        /// Send nothing until the app acts or starts again.
        case stop(reason: String)
        /// Ask the app for a new token and try again then.
        case awaitSignature(SDKAuthenticationFailure)
    }

    /// The decision after attempt number `attempt`, counted from 1; `random` is between 0 and 1.
    static func decision(attempt: Int, outcome: Outcome, random: Double) -> Decision {
        switch outcome {
        case .accepted:
            return .proceed
        case .unavailable(let retryAfter), .throttled(let retryAfter):
            if let retryAfter {
                // A little later than asked, so that not all installations come at once.
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

    /// The outcome that an answer stands for.
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
        // A redirect or a missing path: something else than the server answers there.
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
