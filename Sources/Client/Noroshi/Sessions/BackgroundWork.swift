import Foundation
@_spi(Testing) import NoroshiOutbox

/// Work for which the system is asked to delay suspending the app. When the system stops waiting,
/// sending is cancelled: unacknowledged records stay in the outbox.
final class BackgroundWork: Sendable {
    private let onEnd = Locked<(@Sendable () -> Void)?>(nil)

    init(recorder: Recorder, platform: NoroshiPlatform) {
        let onEnd = onEnd
        let end = platform.beginBackgroundWork {
            recorder.uploader.cancel()
            // A transport that ignores cancellation must not keep the task open, or the system
            // would kill the app.
            Task {
                try? await recorder.dependencies.sleep(1)
                Self.end(onEnd)
            }
        }
        onEnd.withLock { $0 = end }
    }

    func end() {
        Self.end(onEnd)
    }

    private static func end(_ onEnd: Locked<(@Sendable () -> Void)?>) {
        let end = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        end?()
    }
}
