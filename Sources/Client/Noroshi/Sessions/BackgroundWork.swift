import Foundation
import NoroshiOutbox

/// Work that the system is asked to wait for before it suspends the app. When it waits no longer,
/// sending is given up: what was not answered for stays in the outbox.
final class BackgroundWork: Sendable {
    private let onEnd = Locked<(@Sendable () -> Void)?>(nil)

    init(recorder: Recorder, platform: NoroshiPlatform) {
        let onEnd = onEnd
        let end = platform.beginBackgroundWork {
            recorder.uploader.cancel()
            // A transport that does not hear of it would have the app killed.
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
