import NIOCore
import Synchronization

/// Whether a connection serves a request on any of its HTTP/2 streams, for its place.
final class StreamTally: Sendable {
    /// The part that one stream takes in it.
    final class Stream: WaitingPlace {
        private let tally: StreamTally
        private var isCounted = false

        fileprivate init(_ tally: StreamTally) {
            self.tally = tally
        }

        func isWaiting(since now: NIODeadline) {
            guard isCounted else { return }
            isCounted = false
            tally.add(-1, at: now)
        }

        func isServed() {
            guard !isCounted else { return }
            isCounted = true
            tally.add(1, at: .now())
        }

        func leave() { isWaiting(since: .now()) }
    }

    private let place: any WaitingPlace & Sendable
    private let served = Mutex(0)

    init(place: any WaitingPlace & Sendable) {
        self.place = place
    }

    func stream() -> Stream { Stream(self) }

    private func add(_ count: Int, at now: NIODeadline) {
        let isServed = served.withLock { served in
            served += count
            return served > 0
        }
        if isServed { place.isServed() } else { place.isWaiting(since: now) }
    }
}

@available(*, unavailable)
extension StreamTally.Stream: Sendable {}
