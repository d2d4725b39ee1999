import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// What may be gone at the next try.
struct TemporaryFailure: Error {
    /// What it is if it is not.
    var problem: BucketError
}

extension BucketClient {
    /// Why there is no answer.
    func failure(_ error: any Error) -> any Error {
        if error is CancellationError || error as? HTTPClientError == .cancelled { return error }
        if error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError {
            return BucketError.untrusted("\(access.endpoint)", "\(error)")
        }
        return TemporaryFailure(problem: .unreachable("\(access.endpoint)", Self.reason(error)))
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { reason($0.error) } ?? "its name is not known"
        default: "\(error)"
        }
    }

    /// What an answer that is an error says.
    func refusal(_ call: Call, _ answer: Answer) -> any Error {
        let element = try? AnswerElement(reading: answer.body.readableBytesView)
        let code = element?.name == "Error" ? element?.text("Code") ?? "" : ""
        let message = element?.text("Message") ?? ""
        let id = access.credentials.keyID
        switch (code, answer.status) {
        case ("NoSuchBucket", _):
            return BucketError.noBucket(bucket, endpoint: "\(access.endpoint)")
        case ("NoSuchKey", _): return BucketError.noObject(call.key)
        case ("InvalidAccessKeyId", _): return BucketError.unknownKey(id)
        case ("SignatureDoesNotMatch", _): return BucketError.wrongSecret(id)
        case ("ExpiredToken", _), ("InvalidToken", _), ("TokenRefreshRequired", _):
            return BucketError.expired(id)
        case ("RequestTimeTooSkewed", _):
            return BucketError.clock(
                server: element?.text("ServerTime") ?? answer.headers.first(name: "date")
            )
        case ("PermanentRedirect", _), ("AuthorizationHeaderMalformed", _), (_, 301), (_, 307):
            return BucketError.wrongRegion(
                element?.text("Region") ?? answer.headers.first(name: "x-amz-bucket-region"),
                given: access.endpoint.region
            )
        case ("AccessDenied", _), ("AllAccessDisabled", _), ("", 403):
            return BucketError.denied(call.action, bucket: bucket)
        case ("SlowDown", _), ("RequestTimeout", _), ("InternalError", _), ("", 429),
            (_, 500), (_, 502...504):
            return TemporaryFailure(
                problem: .busy("\(access.endpoint)", code.isEmpty ? "\(answer.status)" : code)
            )
        default:
            return BucketError.refused(status: answer.status, code: code, message: message)
        }
    }
}
