import Synchronization

/// The queues of the running delivery, for those who look at it from outside.
final class DeliveryHands: Sendable {
    private let parts = Mutex<(window: InFlightWindow, results: ResultQueue)?>(nil)

    func hold(_ window: InFlightWindow, _ results: ResultQueue) {
        parts.withLock { $0 = (window, results) }
    }

    /// Without the lanes' states.
    var load: DeliveryLoad {
        guard let (window, results) = parts.withLock({ $0 }) else { return DeliveryLoad() }
        var load = window.load
        load.unrecorded = results.count
        return load
    }
}
