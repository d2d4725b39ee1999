import Segments

/// The different values of a property, numbered as they come.
struct PropertyValues: Sendable {
    /// Two values are one only if nothing can tell them apart: equal texts have equal bytes.
    private struct Key: Hashable {
        let value: AttributeValue

        static func == (left: Key, right: Key) -> Bool { isSame(left.value, right.value) }

        private static func isSame(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
            switch (left, right) {
            case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
            case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
            case (.array(let left), .array(let right)):
                left.count == right.count && zip(left, right).allSatisfy(isSame)
            case (.object(let left), .object(let right)):
                left.count == right.count
                    && left.allSatisfy { name, value in
                        right[name].map { isSame(value, $0) } ?? false
                    }
            default: left == right
            }
        }

        /// Equal keys have equal values, so that their hash is good enough.
        func hash(into hasher: inout Hasher) { hasher.combine(value) }
    }

    /// The code of an occurrence that has no value.
    static let none: UInt32 = 0

    private var values: [AttributeValue] = []
    private var codes: [Key: UInt32] = [:]

    /// How many codes there are, with that for none.
    var count: Int { values.count + 1 }

    /// An estimate, in bytes.
    private(set) var memory = 0

    /// The value of a code; `nil` for none.
    func value(of code: UInt32) -> AttributeValue? {
        code == Self.none ? nil : values[Int(code) - 1]
    }

    /// The code of a value; a new one gets the next.
    mutating func code(adding value: AttributeValue?) -> UInt32 {
        guard let value else { return Self.none }
        let key = Key(value: value)
        if let known = codes[key] { return known }
        values.append(value)
        let code = UInt32(values.count)
        codes[key] = code
        memory += Self.bytes(of: value)
        return code
    }

    private static func bytes(of value: AttributeValue) -> Int {
        let fixed = 3 * MemoryLayout<AttributeValue>.stride
        return switch value {
        case .string(let text): fixed + (text.utf8.count > 15 ? text.utf8.count + 32 : 0)
        case .array(let elements): elements.reduce(fixed) { $0 + bytes(of: $1) }
        case .object(let members):
            members.reduce(fixed) { $0 + $1.key.utf8.count + 32 + bytes(of: $1.value) }
        default: fixed
        }
    }
}
