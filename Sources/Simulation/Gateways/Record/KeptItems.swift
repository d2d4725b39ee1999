import NIOCore

/// The items stored for devices without a listener: per device as each service does, and bounded
/// for all devices together, because a sender may name any number of devices.
struct KeptItems<Item: GatewayItem> {
    private let limit: Int
    private var items: [String: [Item]] = [:]
    /// Devices by the time of their first push, including those emptied since.
    private var order = CircularBuffer<String>()
    private(set) var count = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func keep(_ item: Item) {
        var waiting = items.removeValue(forKey: item.address) ?? []
        if waiting.isEmpty { order.append(item.address) }
        count -= waiting.count
        Item.keep(item, with: &waiting)
        count += waiting.count
        items[item.address] = waiting
        while count > limit, let oldest = order.popFirst() { _ = remove(oldest) }
        if order.count > 2 * items.count + 1000 {
            // A device appears again each time it was emptied; only its last position is kept.
            var seen: Set<String> = []
            order = CircularBuffer(
                order.reversed().filter { items[$0] != nil && seen.insert($0).inserted }.reversed()
            )
        }
    }

    /// Removes and returns the items stored for a device.
    mutating func remove(_ address: String) -> [Item] {
        let taken = items.removeValue(forKey: address) ?? []
        count -= taken.count
        return taken
    }
}
