import Segments

/// Numbers the attributes and stores their dictionaries.
///
/// Members of objects are separate attributes, found under the attribute that contains them.
struct AttributeCatalog: Sendable {
    private struct Member: Hashable {
        let parent: Int
        let key: String
    }

    private static let root = -1
    /// The first numbers belong to the standard attributes, in the order of the enumeration.
    static let standardCount = StandardAttribute.allCases.count

    private var numbers: [Member: Int] = [:]
    /// Recently used names of custom attributes, which avoids hashing them for every profile.
    private var recentNames: [(name: String, number: Int)?] = Array(repeating: nil, count: 64)
    var dictionaries: [StringDictionary]
    /// Whether an attribute could not be added, so that an unknown one may still exist in rows.
    private(set) var isOverflowing = false
    private let limit: Int

    init(limit: Int) {
        self.limit = limit + Self.standardCount
        dictionaries = Array(repeating: StringDictionary(), count: Self.standardCount)
    }

    var count: Int { dictionaries.count }

    static func number(of attribute: StandardAttribute) -> Int {
        standardNumbers[attribute] ?? 0
    }

    private static let standardNumbers: [StandardAttribute: Int] = Dictionary(
        uniqueKeysWithValues: StandardAttribute.allCases.enumerated().map { ($1, $0) }
    )

    /// The number of the attribute at this path of names.
    func number(of keys: [String]) -> Int? {
        var current = Self.root
        for key in keys {
            guard let next = numbers[Member(parent: current, key: key)] else { return nil }
            current = next
        }
        return current
    }

    /// The number of a member of an object, or of a custom attribute if `parent` is `nil`; `nil` if
    /// no more attributes can be added.
    mutating func number(of key: String, in parent: Int?) -> Int? {
        guard parent == nil else { return lookUp(key, in: parent) }
        let place = RecentCodes.place(of: key)
        if let recent = recentNames[place], recent.name == key { return recent.number }
        guard let number = lookUp(key, in: nil) else { return nil }
        recentNames[place] = (key, number)
        return number
    }

    private mutating func lookUp(_ key: String, in parent: Int?) -> Int? {
        let member = Member(parent: parent ?? Self.root, key: key)
        if let known = numbers[member] { return known }
        guard dictionaries.count < limit else {
            isOverflowing = true
            return nil
        }
        let number = dictionaries.count
        numbers[member] = number
        dictionaries.append(StringDictionary())
        return number
    }

    var memory: Int { dictionaries.reduce(0) { $0 + $1.memory } + numbers.capacity * 48 }
}
