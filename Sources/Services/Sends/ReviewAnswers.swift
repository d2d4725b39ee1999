import Campaigns
import Liquid
import Model
import Ports
import Synchronization

/// Answers the questions of messages that are measured for a review: nobody has asked for them to be
/// sent, so calls that may change something are not made, and others only a few times.
final class ReviewAnswers: LiquidDataSource {
    /// Maximum number of calls.
    static let callLimit = 10

    private let source: MessageDataSource
    private let calls = Mutex(0)

    init(_ source: MessageDataSource) {
        self.source = source
    }

    /// - Throws: `ContentFetchError.unavailable` for a call that is not made.
    func answer(_ question: LiquidDataRequest) async throws -> LiquidDataResponse {
        if case .connectedContent(let request) = question {
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            guard request.method == "GET", number <= Self.callLimit else {
                throw ContentFetchError.unavailable(.noCallInReview)
            }
        }
        return try await source.answer(question)
    }
}
