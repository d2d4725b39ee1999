import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// One server-sent event.
package struct ServerEvent: Sendable {
    package let name: String
    /// JSON on one line.
    package let data: String

    package init(name: String, data: String) {
        self.name = name
        self.data = data
    }

    package init(name: String, value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.withoutEscapingSlashes]
        self.name = name
        data = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    fileprivate var wireText: String { "event: \(name)\ndata: \(data)\n\n" }
}

/// Responds with server-sent events until the browser disconnects or the server stops.
package enum EventStream {
    /// Proxies close an idle connection after about a minute.
    private static let quietLimit = Duration.seconds(15)

    package static func response(
        _ events: @escaping @Sendable () async -> AsyncStream<ServerEvent>
    ) -> Response {
        var headers = HTMLResponse.headers(contentType: "text/event-stream")
        if let buffering = HTTPField.Name("X-Accel-Buffering") { headers[buffering] = "no" }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                let texts = await wireTexts(of: events())
                for await text in texts.cancelOnGracefulShutdown() {
                    try await writer.write(ByteBuffer(string: text))
                }
                try await writer.finish(nil)
            }
        )
    }

    /// The events as text, with a comment from time to time if there are none.
    private static func wireTexts(of events: AsyncStream<ServerEvent>) -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(256)) { continuation in
            let work = Task {
                await withTaskGroup { group in
                    group.addTask {
                        for await event in events { continuation.yield(event.wireText) }
                    }
                    group.addTask {
                        while (try? await Task.sleep(for: quietLimit)) != nil {
                            continuation.yield(": quiet\n\n")
                        }
                    }
                    await group.next()
                    group.cancelAll()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }
}
