/// A hash in insertion order, like Ruby's: the order is visible when a hash is printed or iterated.
///
/// It is a class so that a value stays two words wide; it is immutable.
package final class LiquidObject: Sendable {
    /// The size from which an index is built; below it a scan over the digests is faster.
    private static let indexedFrom = 24

    package let names: [LiquidName]
    package let values: [LiquidValue]
    private let index: [LiquidName: Int]
    /// The nesting depth of lists and hashes; 1 if it contains neither. It is stored because values
    /// may share parts, so that traversing them can take far longer than storing them.
    let depth: Int

    /// Creates an object from the pairs; a repeated name keeps its first position and its last
    /// value.
    package init(_ pairs: [(name: LiquidName, value: LiquidValue)]) {
        var names: [LiquidName] = []
        var values: [LiquidValue] = []
        var index: [LiquidName: Int] = [:]
        names.reserveCapacity(pairs.count)
        values.reserveCapacity(pairs.count)
        let isIndexed = pairs.count >= Self.indexedFrom
        for pair in pairs {
            let known = isIndexed ? index[pair.name] : names.firstIndex(of: pair.name)
            if let known {
                values[known] = pair.value
                continue
            }
            if isIndexed { index[pair.name] = names.count }
            names.append(pair.name)
            values.append(pair.value)
        }
        self.names = names
        self.values = values
        self.index = index
        var deepest = 0
        for value in values { deepest = max(deepest, value.knownDepth) }
        depth = 1 + deepest
    }

    package convenience init(_ dictionary: [String: LiquidValue]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { (LiquidName($0.key), $0.value) })
    }

    package var count: Int { names.count }

    package subscript(name: LiquidName) -> LiquidValue? {
        if names.count >= Self.indexedFrom {
            return index[name].map { values[$0] }
        }
        for position in names.indices where names[position] == name {
            return values[position]
        }
        return nil
    }

    package subscript(name: String) -> LiquidValue? { self[LiquidName(name)] }
}

extension LiquidValue {
    fileprivate var knownDepth: Int {
        switch self {
        case .array(let elements):
            var deepest = 0
            for element in elements { deepest = max(deepest, element.knownDepth) }
            return 1 + deepest
        case .object(let object): return object.depth
        default: return 0
        }
    }
}
