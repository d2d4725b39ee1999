import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Posts requests over several persistent connections, one request on each at a time.
struct IngestLoad: Sendable {
    struct Outcome: Sendable {
        var seconds = 0.0
        /// Seconds from sending a request to the end of its response.
        var latencies: [Double] = []
        /// Number of responses with status 429; their requests were sent again.
        var refusals = 0
    }

    /// The numbers of the requests that remain to be sent.
    final class Queue: Sendable {
        private let next = Atomic(0)
        private let count: Int

        init(count: Int) { self.count = count }

        func take() -> Int? {
            let number = next.add(1, ordering: .relaxed).oldValue
            return number < count ? number : nil
        }
    }

    let host: String
    let port: Int
    let connections: Int
    /// The bytes of a request by its number.
    let request: @Sendable (Int) -> ByteBuffer
    /// Whether a response's body reports that everything was stored.
    let isComplete: @Sendable (String) -> Bool

    func run(requests: Int) async throws -> Outcome {
        let queue = Queue(count: requests)
        let start = ContinuousClock.now
        var outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for _ in 0..<connections {
                group.addTask { try await connection(queue) }
            }
            return try await group.reduce(into: Outcome()) {
                $0.latencies += $1.latencies
                $0.refusals += $1.refusals
            }
        }
        outcome.seconds = (ContinuousClock.now - start).seconds
        return outcome
    }

    private func connection(_ queue: Queue) async throws -> Outcome {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        return try await channel.executeThenClose { answers, requests in
            var outcome = Outcome()
            var answer = answers.makeAsyncIterator()
            while let number = queue.take() {
                let start = ContinuousClock.now
                while true {
                    try await requests.write(request(number))
                    let (status, text) = try await read(&answer)
                    if status == 429 {
                        outcome.refusals += 1
                        try await Task.sleep(for: .milliseconds(200))
                        continue
                    }
                    guard status == 201, isComplete(text) else {
                        throw BenchError("the server answered \(status): \(text.prefix(400))")
                    }
                    break
                }
                outcome.latencies.append((ContinuousClock.now - start).seconds)
            }
            return outcome
        }
    }

    /// Reads one response: its status and body.
    private func read(
        _ bytes: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) async throws -> (Int, String) {
        var text = ""
        while let part = try await bytes.next() {
            text += String(buffer: part)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let head = text[..<end.lowerBound]
            guard let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0) }),
                let length = head.lowercased().split(separator: "\r\n")
                    .first(where: { $0.hasPrefix("content-length:") })?
                    .split(separator: " ").last.flatMap({ Int($0) })
            else { throw BenchError("this is no answer with a length: \(head)") }
            let body = text[end.upperBound...]
            if body.utf8.count >= length { return (status, String(body)) }
        }
        throw BenchError("the server closed the connection: \(text)")
    }
}
