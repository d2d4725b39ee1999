import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// The objects of one bucket. Every request is signed, and so is the hash of what it carries, by which
/// the store notices what has changed on the way.
package struct BucketClient: Sendable {
    /// What is asked for.
    struct Call {
        var action: BucketAction
        var method: HTTPMethod
        /// The object; empty for the bucket.
        var key = ""
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var body = Data()
    }

    /// What was answered, all of it.
    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: ByteBuffer
    }

    /// How often something is tried while the store only has temporary errors.
    static let tries = 4
    /// The largest answer that is held in memory.
    private static let answerLimit = 8 << 20
    /// The longest time for one request, which carries a part at most.
    private static let timeLimit = TimeAmount.minutes(15)
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(2), .seconds(5)]

    package let bucket: String
    let access: BucketAccess
    let http: HTTPClient
    let now: @Sendable () -> Date
    let pause: @Sendable (Duration) async throws -> Void

    /// Sends a request until it is answered with anything but a temporary error.
    ///
    /// - Throws: `BucketError`, also for an answer that is an error.
    func send(_ call: Call) async throws -> Answer {
        try await trying { try await answer(to: call) }
    }

    /// Tries until something succeeds, fails for good, or has failed often enough.
    func trying<Value>(_ work: () async throws -> Value) async throws -> Value {
        var failures = 0
        while true {
            do {
                return try await work()
            } catch let failure as TemporaryFailure {
                failures += 1
                guard failures < Self.tries else { throw failure.problem }
                try await pause(Self.pauses[min(failures, Self.pauses.count) - 1])
            }
        }
    }

    private func answer(to call: Call) async throws -> Answer {
        let response = try await open(call)
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: Self.answerLimit)
        } catch is NIOTooManyBytesError {
            throw BucketError.unreadable(call.action, "it is too long")
        } catch {
            throw failure(error)
        }
        let status = Int(response.status.code)
        let answer = Answer(status: status, headers: response.headers, body: body)
        // To be told at once that it is alive, a completion is answered before it is done.
        guard (200..<300).contains(status), !isError(answer, call) else {
            throw refusal(call, answer)
        }
        return answer
    }

    /// Sends a request once, and returns when its answer begins.
    ///
    /// - Throws: `TemporaryFailure` or `BucketError` if there is no answer.
    func open(_ call: Call, timeLimit: TimeAmount = Self.timeLimit) async throws
        -> HTTPClientResponse
    {
        let target = access.endpoint.target(bucket)
        let path =
            target.path + "/" + RequestSigner.encode(call.key, keepsSlashes: true)
        let hash = RequestSigner.hash(call.body)
        let time = RequestSigner.time(now())
        var headers = call.headers
        headers.append(("host", target.host))
        headers.append(("x-amz-date", time))
        headers.append(("x-amz-content-sha256", hash))
        if let token = access.credentials.token { headers.append(("x-amz-security-token", token)) }
        if !call.body.isEmpty {
            // Stores that leave the signed hash alone look at this one.
            let digest = Data(Insecure.MD5.hash(data: call.body)).base64EncodedString()
            headers.append(("content-md5", digest))
        }
        let signature = RequestSigner(
            credentials: access.credentials,
            region: access.endpoint.region
        ).authorization(
            RequestSigner.Request(
                method: call.method.rawValue,
                path: path,
                query: call.query,
                headers: headers,
                payloadHash: hash
            ),
            time: time
        )
        headers.append(("authorization", signature))
        let query = RequestSigner.text(of: call.query)
        var request = HTTPClientRequest(
            url: "\(access.endpoint.scheme)://\(target.host)\(path)"
                + (query.isEmpty ? "" : "?\(query)")
        )
        request.method = call.method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        request.headers.add(name: "user-agent", value: "Noroshi")
        if !call.body.isEmpty || [.PUT, .POST].contains(call.method) {
            request.body = .bytes(ByteBuffer(bytes: call.body))
        }
        do {
            return try await http.execute(request, timeout: timeLimit)
        } catch {
            throw failure(error)
        }
    }

    private func isError(_ answer: Answer, _ call: Call) -> Bool {
        call.action == .complete
            && (try? AnswerElement(reading: answer.body.readableBytesView))?.name == "Error"
    }

    /// The answer as XML.
    func element(_ answer: Answer, of action: BucketAction) throws -> AnswerElement {
        do {
            return try AnswerElement(reading: answer.body.readableBytesView)
        } catch {
            throw BucketError.unreadable(action, error.reason)
        }
    }
}
