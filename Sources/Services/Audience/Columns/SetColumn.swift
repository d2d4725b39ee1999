/// Lists of distinct strings of a chunk's rows, as codes of the attribute's dictionary.
///
/// A few distinct values are stored as one bitmap each; many as the rows' lists, one after another.
struct SetColumn: Sendable {
    private(set) var present = RowBitmap()
    /// The code of each bitmap.
    private var bitmapCodes: [UInt32] = []
    private(set) var bitmaps: [RowBitmap] = []
    /// The index of each row's first code; empty while bitmaps are used.
    private var starts: [UInt32] = []
    private var codes: [UInt32] = []

    private static let maxBitmaps = 128

    var snapshotContains: Bool { !starts.isEmpty }

    func bitmap(of code: UInt32) -> RowBitmap? {
        bitmapCodes.firstIndex(of: code).map { bitmaps[$0] }
    }

    /// `nil` if the row has no list.
    func value(at row: Int) -> [UInt32]? {
        guard present.contains(row) else { return nil }
        if snapshotContains { return Array(codes(at: row)) }
        return bitmapCodes.indices.filter { bitmaps[$0].contains(row) }.map { bitmapCodes[$0] }
    }

    func codes(at row: Int) -> ArraySlice<UInt32> {
        guard row + 1 < starts.count else { return [] }
        return codes[Int(starts[row])..<Int(starts[row + 1])]
    }

    /// - Parameter value: Distinct codes.
    mutating func set(_ value: [UInt32]?, at row: Int) {
        if present.contains(row) {
            if snapshotContains {
                replaceList(at: row, with: [])
            } else {
                for index in bitmaps.indices { bitmaps[index].remove(row) }
            }
            present.remove(row)
        }
        guard let value else { return }
        present.insert(row)
        if !snapshotContains {
            let added = value.count { !bitmapCodes.contains($0) }
            if bitmaps.count + added > Self.maxBitmaps { makeLists() }
        }
        guard !snapshotContains else { return replaceList(at: row, with: value) }
        for code in value {
            if let index = bitmapCodes.firstIndex(of: code) {
                bitmaps[index].insert(row)
            } else {
                bitmapCodes.append(code)
                bitmaps.append(RowBitmap())
                bitmaps[bitmaps.count - 1].insert(row)
            }
        }
    }

    private mutating func makeLists() {
        var lists: [[UInt32]] = Array(repeating: [], count: present.words.count * 64)
        for (index, code) in bitmapCodes.enumerated() {
            for row in lists.indices where bitmaps[index].contains(row) { lists[row].append(code) }
        }
        starts = [0]
        for list in lists {
            codes.append(contentsOf: list)
            starts.append(UInt32(codes.count))
        }
        bitmaps = []
        bitmapCodes = []
    }

    private mutating func replaceList(at row: Int, with list: [UInt32]) {
        while starts.count < row + 2 { starts.append(UInt32(codes.count)) }
        let range = Int(starts[row])..<Int(starts[row + 1])
        codes.replaceSubrange(range, with: list)
        let change = list.count - range.count
        guard change != 0 else { return }
        for index in (row + 1)..<starts.count {
            starts[index] = UInt32(Int(starts[index]) + change)
        }
    }

    mutating func compact() {
        present.compact()
        for index in bitmaps.indices { bitmaps[index].compact() }
        starts = starts.withExactCapacity
        codes = codes.withExactCapacity
    }

    var memory: Int {
        present.bytes + bitmaps.reduce(0) { $0 + $1.bytes + 40 } + starts.capacity * 4
            + codes.capacity * 4
    }
}
