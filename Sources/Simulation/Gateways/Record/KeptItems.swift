import NIOCore

/// What waits for devices that nobody listens for: as each service keeps it for one device, and
/// bounded for all of them together, since a sender may name any number of devices.
struct KeptItems<Item: GatewayItem> {
    private let limit: Int
    private var items: [String: [Item]] = [:]
    /// Devices by the time of their first push, those that were emptied since among them.
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
            // A device stands here again each time it was emptied; its last place is enough.
            var seen: Set<String> = []
            order = CircularBuffer(
                order.reversed().filter { items[$0] != nil && seen.insert($0).inserted }.reversed()
            )
        }
    }

    /// Gives what waits for a device, and keeps it no longer.
    mutating func remove(_ address: String) -> [Item] {
        let taken = items.removeValue(forKey: address) ?? []
        count -= taken.count
        return taken
    }
}
