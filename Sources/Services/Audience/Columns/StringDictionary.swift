/// The distinct strings of one attribute, numbered in order of first appearance.
struct StringDictionary: Sendable {
    private(set) var values: [String] = []
    /// An open hash table of codes plus one; zero marks a free slot. At most half of the slots are
    /// used.
    private var slots: [UInt32] = []
    private var recent = RecentCodes()

    func code(of value: String) -> UInt32? {
        guard !slots.isEmpty else { return nil }
        var slot = value.hashValue & (slots.count - 1)
        while slots[slot] != 0 {
            let code = slots[slot] - 1
            if values[Int(code)] == value { return code }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    mutating func encode(_ value: String) -> UInt32 {
        let place = RecentCodes.place(of: value)
        if let code = recent.code(at: place), values[Int(code)] == value { return code }
        let code = self.code(of: value) ?? add(value)
        recent.set(code, at: place)
        return code
    }

    private mutating func add(_ value: String) -> UInt32 {
        let code = UInt32(values.count)
        values.append(value)
        if values.count * 2 > slots.count {
            slots = Array(repeating: 0, count: max(16, slots.count * 2))
            for code in values.indices { insert(UInt32(code)) }
        } else {
            insert(code)
        }
        return code
    }

    private mutating func insert(_ code: UInt32) {
        var slot = values[Int(code)].hashValue & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = code + 1
    }

    /// An estimate: strings of up to 15 bytes are stored inline in 16 bytes, longer ones on the
    /// heap.
    var memory: Int {
        let heap = values.reduce(0) { $0 + ($1.utf8.count > 15 ? $1.utf8.count + 33 : 0) }
        return values.capacity * 16 + slots.capacity * 4 + recent.memory + heap
    }
}

/// Recently used codes, found by a few bytes of the string instead of a full hash. Strings that
/// share a slot only evict each other, so no input makes it slower than the dictionary alone.
struct RecentCodes: Sendable {
    private var codes: [UInt32] = []

    private static let places = 64

    static func place(of value: String) -> Int {
        let bytes = value.utf8
        guard let first = bytes.first, let last = bytes.last else { return 0 }
        return (bytes.count &* 17 &+ Int(first) &* 5 &+ Int(last)) & (places - 1)
    }

    func code(at place: Int) -> UInt32? {
        guard !codes.isEmpty, codes[place] != 0 else { return nil }
        return codes[place] - 1
    }

    mutating func set(_ code: UInt32, at place: Int) {
        if codes.isEmpty { codes = Array(repeating: 0, count: Self.places) }
        codes[place] = code + 1
    }

    var memory: Int { codes.capacity * 4 }
}
