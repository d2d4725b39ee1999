import AsyncHTTPClient
import Logging
import Monitoring
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Hands spans over to a collector, in batches. What it does not take in time is lost; nothing else
/// waits for it.
struct OTLPExporter: Service {
    /// Maximum number of spans in one request.
    static let batch = 512
    /// Time between two looks at the queue, if it does not fill a batch.
    private static let pause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(60)
    private static let timeLimit = TimeAmount.seconds(10)

    /// Where the spans go, such as `http://127.0.0.1:4318/v1/traces`.
    let endpoint: String
    let queue: SpanQueue
    let resource: [(String, String)]
    let logger: Logger

    /// Exports until the server stops, and what is left then.
    func run() async throws {
        let client = HTTPClient(eventLoopGroupProvider: .singleton)
        var failures = 0
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let outcome = await export(client)
            failures = outcome == .failed ? min(failures + 1, 10) : 0
            if outcome == .full { continue }
            let pause = min(Self.pause * (1 << failures), Self.longestPause)
            // The end of the server ends the wait, but no request that is under way.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: pause) }
        }
        while await export(client) == .full {}
        try await client.shutdown()
    }

    enum Outcome {
        /// There may be more.
        case full
        case done
        case failed
    }

    func export(_ client: HTTPClient) async -> Outcome {
        let (spans, dropped) = queue.take(Self.batch)
        if dropped > 0 {
            logger.warning(
                "spans were dropped: the collector does not keep up",
                metadata: ["spans.dropped": "\(dropped)"]
            )
        }
        guard !spans.isEmpty else { return .done }
        var request = HTTPClientRequest(url: endpoint)
        request.method = .POST
        request.headers = ["Content-Type": "application/json", "User-Agent": "Noroshi"]
        request.body = .bytes(ByteBuffer(string: OTLPText.body(spans, resource: resource)))
        do {
            let response = try await client.execute(request, timeout: Self.timeLimit)
            guard (200..<300).contains(response.status.code) else {
                return lost(spans.count, "answered \(response.status.code)")
            }
            return spans.count == Self.batch ? .full : .done
        } catch {
            return lost(spans.count, "\(error)")
        }
    }

    private func lost(_ count: Int, _ reason: String) -> Outcome {
        logger.warning(
            "spans were not taken by the collector",
            metadata: ["spans.lost": "\(count)", "otlp.reason": "\(reason)"]
        )
        return .failed
    }
}
