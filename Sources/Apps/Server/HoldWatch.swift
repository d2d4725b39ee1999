import Foundation
import Model
import Sends
import ServiceLifecycle
import Synchronization

/// The hold of a restored server as it was when the database was last asked: whoever asks `/health` or `/metrics` must
/// not wait for a database that does not answer.
final class HoldWatch: Service {
    /// Between two looks: `./noroshi release` is another process.
    private static let pause = Duration.seconds(2)

    private let holds: SendingHoldService
    private let state = Mutex<SendingHold?>(nil)

    init(_ holds: SendingHoldService) { self.holds = holds }

    /// `nil` without one, and before the first look.
    var hold: SendingHold? { state.withLock(\.self) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    let hold = try await self.holds.current()
                    self.state.withLock { $0 = hold }
                } catch {
                    // `StoreWatch` tells of a database that cannot be reached.
                }
                // Cancellation ends the sleep, and with it the loop.
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
