import NIOCore

/// A request in progress, and its waiting caller.
///
/// The caller hands it to the client's event loop once; afterwards it is used only on that loop.
final class PendingRequest: @unchecked Sendable {
    let request: PushHTTPRequest
    let deadline: NIODeadline
    var attempts = 0
    var writtenAt = NIODeadline.uptimeNanoseconds(0)
    private var continuation: UnsafeContinuation<PushHTTPResult, Never>?

    init(
        _ request: PushHTTPRequest,
        deadline: NIODeadline,
        continuation: UnsafeContinuation<PushHTTPResult, Never>
    ) {
        self.request = request
        self.deadline = deadline
        self.continuation = continuation
    }

    func finish(_ result: PushHTTPResult) {
        continuation?.resume(returning: result)
        continuation = nil
    }
}
