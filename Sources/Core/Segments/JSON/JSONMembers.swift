import Reasons

/// The members of a JSON object with its pointer, so that errors include the location.
struct JSONMembers {
    let pointer: String
    private let members: [String: JSONNode]

    init(_ node: JSONNode, at pointer: String) throws(SegmentError) {
        guard case .object(let members) = node else {
            throw SegmentError(pointer: pointer, .objectNeeded)
        }
        self.pointer = pointer
        self.members = members
    }

    /// The members of an object within a tree; rejects trees that are too deep.
    init(_ node: JSONNode, at pointer: String, depth: Int) throws(SegmentError) {
        guard depth < SegmentParser.deepest else {
            throw SegmentError(pointer: pointer, .nested)
        }
        try self.init(node, at: pointer)
    }

    /// The parts of a group: the elements of the list that is its only member, each with its
    /// pointer.
    func parts<Part>(
        _ key: String,
        _ read: (JSONNode, String) throws(SegmentError) -> Part
    ) throws(SegmentError) -> [Part] {
        try allow([key])
        var parts: [Part] = []
        for (index, node) in try array(key).enumerated() {
            parts.append(try read(node, "\(pointer)/\(key)/\(index)"))
        }
        return parts
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func value(_ key: String) -> JSONNode { members[key] ?? .null }

    func problem(
        _ key: String?,
        _ code: SegmentReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) -> SegmentError {
        SegmentError(pointer: key.map { "\(pointer)/\($0)" } ?? pointer, code, arguments)
    }

    func allow(_ keys: Set<String>) throws(SegmentError) {
        for key in members.keys.sorted() where !keys.contains(key) {
            throw problem(key, .meansNothing, ["symbol": "\(key)"])
        }
    }

    func forbid(_ key: String) throws(SegmentError) {
        if has(key) { throw problem(key, .notParameter, ["name": "\(key)"]) }
    }

    func string(_ key: String) throws(SegmentError) -> String {
        guard case .string(let string) = value(key) else {
            throw problem(key, .stringNeeded)
        }
        return string
    }

    func number(_ key: String) throws(SegmentError) -> Double {
        switch value(key) {
        case .number(let number): return number
        case .integer(let integer): return Double(integer)
        default: throw problem(key, .numberNeeded)
        }
    }

    func integer(_ key: String) throws(SegmentError) -> Int {
        guard let integer = Int(exactly: try number(key)), integer.magnitude <= 1_000_000_000 else {
            throw problem(key, .integerNeeded)
        }
        return integer
    }

    func array(_ key: String) throws(SegmentError) -> [JSONNode] {
        guard case .array(let array) = value(key) else {
            throw problem(key, .arrayNeeded)
        }
        return array
    }

    func strings(_ key: String) throws(SegmentError) -> [String] {
        var strings: [String] = []
        for (index, node) in try array(key).enumerated() {
            guard case .string(let string) = node else {
                throw problem("\(key)/\(index)", .stringNeeded)
            }
            strings.append(string)
        }
        return strings
    }

    func literal(_ key: String) throws(SegmentError) -> ScalarLiteral {
        guard let literal = JSONMembers.literal(value(key)) else {
            throw problem(key, .literalNeeded)
        }
        return literal
    }

    func literals(_ key: String) throws(SegmentError) -> [ScalarLiteral] {
        var literals: [ScalarLiteral] = []
        for (index, node) in try array(key).enumerated() {
            guard let literal = JSONMembers.literal(node) else {
                throw problem(
                    "\(key)/\(index)",
                    .literalNeeded
                )
            }
            literals.append(literal)
        }
        return literals
    }

    private static func literal(_ node: JSONNode) -> ScalarLiteral? {
        switch node {
        case .string(let string): .string(string)
        case .number(let number): .number(number)
        case .integer(let integer): .integer(integer)
        case .bool(let bool): .bool(bool)
        default: nil
        }
    }

    func moment(_ key: String) throws(SegmentError) -> TimePoint {
        let inner = try? JSONMembers(value(key), at: "\(pointer)/\(key)")
        // For anything but an object, the code below reports what is expected.
        guard let inner, inner.members.count == 1 else {
            throw problem(
                key,
                .momentNeeded
            )
        }
        if inner.has("at") {
            let text = try inner.string("at")
            guard let point = TimeText.point(text) else {
                throw inner.problem("at", .noMoment, ["text": "\(text)"])
            }
            return point
        }
        let unit = inner.has("now") ? "now" : "today"
        let limit = unit == "now" ? TimePoint.furthestSeconds : TimePoint.furthestDays
        guard let amount = Int64(exactly: try inner.number(unit)), amount.magnitude <= limit else {
            throw inner.problem(unit, .integerNeeded)
        }
        return unit == "now" ? .now(offset: amount) : .today(offsetInDays: amount)
    }
}
