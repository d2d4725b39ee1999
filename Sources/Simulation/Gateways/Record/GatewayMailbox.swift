import Foundation

/// An item that a simulated service has accepted for a device.
package protocol GatewayItem: Sendable {
    associatedtype Record: Encodable & Sendable

    /// The device: its token, or its subscription's path.
    var address: String { get }
    /// When a stored item for an offline device expires; `nil` means never.
    var keptUntil: Date? { get }
    /// Adds an item to those stored for the same device, according to the service's rules.
    static func keep(_ item: Self, with kept: inout [Self])
    /// The record as JSON.
    var record: Record { get }
}

/// Distributes accepted pushes: to listening devices, into the store for offline ones, and into a
/// bounded record.
///
/// Listeners get their pushes as deliveries, which the caller must perform outside of its lock: the
/// end of a stream calls back for the lock while holding a lock that a yield waits for.
struct GatewayMailbox<Item: GatewayItem> {
    private struct Listener {
        var id: Int
        var continuation: AsyncStream<Item>.Continuation
    }

    /// A delivery to a listener, to be performed after the caller has released its lock.
    struct Delivery {
        fileprivate let continuation: AsyncStream<Item>.Continuation
        fileprivate let item: Item

        func perform() { continuation.yield(item) }
    }

    private let recordLimit: Int
    private let keepsForOffline: Bool
    private var listeners: [String: [Listener]] = [:]
    private var kept: KeptItems<Item>
    private var nextListener = 0
    private var recent: [Item] = []
    private var waiting: [Delivery] = []
    private var isDelivering = false
    private(set) var acceptedCount = 0

    /// - Parameter keptLimit: Maximum number of pushes stored for all offline devices together.
    init(recordLimit: Int, keepsForOffline: Bool = true, keptLimit: Int) {
        self.recordLimit = recordLimit
        kept = KeptItems(limit: keptLimit)
        self.keepsForOffline = keepsForOffline
    }

    /// The remembered pushes, oldest first.
    var records: [Item] { Array(recent.suffix(recordLimit)) }

    /// The remembered pushes after the first `count` accepted ones.
    func records(after count: Int) -> [Item] {
        let records = records
        return Array(records.suffix(max(0, acceptedCount - count)))
    }

    mutating func accept(_ item: Item, now: Date) {
        acceptedCount += 1
        recent.append(item)
        // Twice the limit before cutting, so that cutting is rare.
        if recent.count >= max(1, recordLimit) * 2 {
            recent.removeFirst(recent.count - recordLimit)
        }
        if let listening = listeners[item.address], !listening.isEmpty {
            for listener in listening { deliver(item, to: listener.continuation) }
        } else if keepsForOffline, item.keptUntil.map({ $0 > now }) ?? true {
            kept.keep(item)
        }
    }

    /// Adds a listener, which first gets the stored items.
    mutating func listen(
        to address: String,
        now: Date,
        _ continuation: AsyncStream<Item>.Continuation
    ) -> Int {
        nextListener += 1
        listeners[address, default: []].append(
            Listener(id: nextListener, continuation: continuation)
        )
        for item in kept.remove(address)
        where item.keptUntil.map({ $0 > now }) ?? true {
            deliver(item, to: continuation)
        }
        return nextListener
    }

    private mutating func deliver(_ item: Item, to continuation: AsyncStream<Item>.Continuation) {
        waiting.append(Delivery(continuation: continuation, item: item))
    }

    /// Starts to distribute the waiting items, unless that is already in progress.
    mutating func beginDelivery() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// The next deliveries, in the order of acceptance; `nil` ends the distribution.
    mutating func nextDeliveries() -> [Delivery]? {
        guard !waiting.isEmpty else {
            isDelivering = false
            return nil
        }
        defer { waiting = [] }
        return waiting
    }

    mutating func stopListening(_ id: Int, to address: String) {
        listeners[address]?.removeAll { $0.id == id }
        if listeners[address]?.isEmpty == true { listeners[address] = nil }
    }

    mutating func forget(_ address: String) {
        _ = kept.remove(address)
    }

    /// Removes all listeners and returns their streams, which the caller must end outside of its
    /// lock.
    mutating func close() -> [AsyncStream<Item>.Continuation] {
        defer { listeners = [:] }
        return listeners.values.flatMap { $0.map(\.continuation) }
    }
}
