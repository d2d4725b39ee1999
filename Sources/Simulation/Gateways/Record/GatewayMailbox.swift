import Foundation

/// Something that a simulated service accepted for a device.
package protocol GatewayItem: Sendable {
    associatedtype Record: Encodable & Sendable

    /// The device: its token, or its subscription's path.
    var address: String { get }
    /// When the service gives up keeping it for a device that is offline; nil for never, here.
    var keptUntil: Date? { get }
    /// How it joins what is kept for the same device: as the service's rules have it.
    static func keep(_ item: Self, with kept: inout [Self])
    /// What stands in the record as JSON.
    var record: Record { get }
}

/// Where accepted pushes go: to the phones that listen, into the store for those that are offline,
/// and into a bounded record.
///
/// Listeners get their pushes in deliveries, which the caller performs outside its lock: the end of
/// a stream calls back for the lock, and holds at that moment what a yield waits for.
struct GatewayMailbox<Item: GatewayItem> {
    private struct Listener {
        var id: Int
        var continuation: AsyncStream<Item>.Continuation
    }

    /// What a listener gets as soon as the caller has left its lock.
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

    /// - Parameter keptLimit: how many pushes wait for devices that are offline, of all together.
    init(recordLimit: Int, keepsForOffline: Bool = true, keptLimit: Int) {
        self.recordLimit = recordLimit
        kept = KeptItems(limit: keptLimit)
        self.keepsForOffline = keepsForOffline
    }

    /// The accepted pushes that are still remembered, oldest first.
    var records: [Item] { Array(recent.suffix(recordLimit)) }

    /// What was accepted after the first `count` pushes, as far as it is remembered.
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

    /// Adds a listener, who gets what was kept first.
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

    /// Begins to hand out what waits, unless that is being done.
    mutating func beginDelivery() -> Bool {
        defer { isDelivering = true }
        return !isDelivering
    }

    /// What is to be handed out next, in the order in which it came; nil ends the delivery.
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

    /// Forgets all listeners and returns their streams, which the caller ends outside its lock.
    mutating func close() -> [AsyncStream<Item>.Continuation] {
        defer { listeners = [:] }
        return listeners.values.flatMap { $0.map(\.continuation) }
    }
}
