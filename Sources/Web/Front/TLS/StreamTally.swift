import NIOCore
import Synchronization

/// Whether a connection serves a request on any of its HTTP/2 streams, for its place.
///
/// Each stream takes a place of its own, too, as a connection would: a client need not keep to the
/// number of streams that it was told.
final class StreamTally: Sendable {
    /// The part that one stream takes in it.
    final class Stream: WaitingPlace {
        private let tally: StreamTally
        private let own: any WaitingPlace
        private var isCounted = false

        fileprivate init(_ tally: StreamTally, _ own: any WaitingPlace) {
            self.tally = tally
            self.own = own
        }

        func isWaiting(since now: NIODeadline) {
            own.isWaiting(since: now)
            guard isCounted else { return }
            isCounted = false
            tally.add(-1, at: now)
        }

        func isServed() {
            own.isServed()
            guard !isCounted else { return }
            isCounted = true
            tally.add(1, at: .now())
        }

        func leave() {
            isWaiting(since: .now())
            own.leave()
        }
    }

    private let place: any WaitingPlace & Sendable
    private let served = Mutex(0)

    init(place: any WaitingPlace & Sendable) {
        self.place = place
    }

    /// - Parameter own: The place of the stream itself.
    func stream(_ own: any WaitingPlace) -> Stream { Stream(self, own) }

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
