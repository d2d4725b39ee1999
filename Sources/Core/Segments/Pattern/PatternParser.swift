import Reasons

/// Reads the part of the PCRE syntax that can be matched in linear time.
///
/// Known: literals, `.`, classes, `\d \w \s \b` and their opposites, `^ $ \A \z`, groups
/// (named, numbered and `(?:`), alternatives, `* + ? {n,m}` also with a lazy `?`, and the flags
/// `(?i)`, `(?-i)`, `(?s)`, `(?-s)`. `$` is the end of the text. Refused, each with its position:
/// back-references, look-around, possessive and atomic groups.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var ignoresCase: Bool
    private var dotMatchesNewline = false
    private var depth = 0

    private static let deepest = 100
    private static let maxRepetitions = 1_000

    init(_ pattern: String, ignoringCase: Bool) {
        scalars = Array(pattern.unicodeScalars)
        ignoresCase = ignoringCase
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        let node = try alternatives()
        if position < scalars.count {
            throw PatternError(offset: position, .noGroup)
        }
        return node
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func isNext(_ text: String) -> Bool {
        scalars[position...].starts(with: text.unicodeScalars)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(PatternError) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw PatternError(offset: position, .nestedGroups)
        }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let start = position
            guard let atom = try atom() else { continue }
            parts.append(try repetitions(of: atom, startingAt: start))
        }
        switch parts.count {
        case 0: return .empty
        case 1: return parts[0]
        default: return .sequence(parts)
        }
    }

    /// Parses the next element; `nil` after a flag group, which matches nothing.
    private mutating func atom() throws(PatternError) -> PatternNode? {
        let start = position
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case "(": return try group(startingAt: start)
        case "[": return .scalars(folded(try characterClass(startingAt: start)))
        case ".": return .scalars(dotMatchesNewline ? .everything : .notNewline)
        case "^": return .anchor(.start)
        case "$": return .anchor(.end)
        case "\\": return try escape(startingAt: start)
        case "*", "+", "?":
            throw PatternError(
                offset: start,
                .nothingToRepeat,
                ["symbol": "\(scalar)"]
            )
        default: return .scalars(folded(ScalarSet(scalar.value)))
        }
    }

    private func folded(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.ignoringCase : set }

    private mutating func group(startingAt start: Int) throws(PatternError) -> PatternNode? {
        let outerCase = ignoresCase
        let outerDot = dotMatchesNewline
        if take("?") {
            if isNext("=") || isNext("!") || isNext("<=") || isNext("<!") {
                throw PatternError(offset: start, .lookAround)
            }
            if isNext(">") {
                throw PatternError(offset: start, .atomicGroup)
            }
            if take("P") || isNext("<") {
                guard take("<"), skipName() else {
                    throw PatternError(offset: start, .groupName)
                }
            } else if !take(":") {
                try flags(startingAt: start)
                if take(")") { return nil }
                position += 1
            }
        }
        let body = try alternatives()
        guard take(")") else {
            throw PatternError(offset: start, .openGroup)
        }
        ignoresCase = outerCase
        dotMatchesNewline = outerDot
        return body
    }

    private mutating func skipName() -> Bool {
        let start = position
        while let scalar = next, ScalarSet.wordCharacters.contains(scalar.value) { position += 1 }
        return position > start && take(">")
    }

    /// Parses flags up to, but not including, the `)` or `:` that ends them.
    private mutating func flags(startingAt start: Int) throws(PatternError) {
        var isOn = true
        while let scalar = next, scalar != ")", scalar != ":" {
            switch scalar {
            case "-": isOn = false
            case "i": ignoresCase = isOn
            case "s": dotMatchesNewline = isOn
            default:
                throw PatternError(offset: position, .unknownFlag, ["flag": "\(scalar)"])
            }
            position += 1
        }
        if next == nil {
            throw PatternError(offset: start, .openGroup)
        }
    }

    private mutating func repetitions(
        of atom: PatternNode,
        startingAt start: Int
    ) throws(PatternError) -> PatternNode {
        var node = atom
        var isRepeated = false
        while let bounds = try repetition() {
            if isRepeated {
                throw PatternError(offset: position - 1, .repeatedRepetition)
            }
            isRepeated = true
            if case .anchor = atom {
                throw PatternError(offset: start, .anchorRepeated)
            }
            node = .repeated(atom, least: bounds.least, most: bounds.most)
            if next == "+" {
                throw PatternError(
                    offset: position,
                    .possessive
                )
            }
            _ = take("?")
        }
        return node
    }

    private mutating func repetition() throws(PatternError) -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next == "{" else { return nil }
        let start = position
        position += 1
        let least = number()
        var most = least
        if take(",") { most = number() }
        let isOpen = scalars[position - 1] == ","
        guard take("}"), let least else {
            // PCRE treats a brace that is not a repetition as a literal; an error is better than
            // matching something unintended.
            throw PatternError(
                offset: start,
                .braceForm
            )
        }
        let limit = isOpen ? nil : most
        guard least <= Self.maxRepetitions, (limit ?? 0) <= Self.maxRepetitions else {
            throw PatternError(
                offset: start,
                .repetitionLimit,
                ["count": "\(Self.maxRepetitions)"]
            )
        }
        if let limit, limit < least {
            throw PatternError(offset: start, .repetitionOrder)
        }
        return (least, limit)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = next, ScalarSet.digits.contains(scalar.value) {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        return digits.isEmpty ? nil : Int(digits) ?? .max
    }

    private mutating func escape(startingAt start: Int) throws(PatternError) -> PatternNode {
        guard let scalar = next else {
            throw PatternError(offset: start, .danglingBackslash)
        }
        switch scalar {
        case "b", "B", "A", "z", "Z":
            position += 1
            switch scalar {
            case "b": return .anchor(.wordBoundary)
            case "B": return .anchor(.notWordBoundary)
            case "A": return .anchor(.start)
            default: return .anchor(.end)
            }
        case "1"..."9":
            throw PatternError(offset: start, .backReference)
        default:
            return .scalars(folded(try escapedSet(startingAt: start)))
        }
    }

    /// The set of scalars that a backslash and the following characters represent, inside and
    /// outside of a class.
    private mutating func escapedSet(startingAt start: Int) throws(PatternError) -> ScalarSet {
        guard let scalar = next else {
            throw PatternError(offset: start, .danglingBackslash)
        }
        position += 1
        switch scalar {
        case "d": return .digits
        case "D": return ScalarSet.digits.inverted
        case "w": return .wordCharacters
        case "W": return ScalarSet.wordCharacters.inverted
        case "s": return .spaces
        case "S": return ScalarSet.spaces.inverted
        case "n": return ScalarSet(0x0A)
        case "r": return ScalarSet(0x0D)
        case "t": return ScalarSet(0x09)
        case "f": return ScalarSet(0x0C)
        case "v": return ScalarSet(0x0B)
        case "0": return ScalarSet(0)
        case "x": return ScalarSet(try hexadecimal(startingAt: start))
        default:
            if scalar.isASCII, ScalarSet.wordCharacters.contains(scalar.value), scalar != "_" {
                throw PatternError(offset: start, .unknownEscape, ["character": "\(scalar)"])
            }
            return ScalarSet(scalar.value)
        }
    }

    private mutating func hexadecimal(startingAt start: Int) throws(PatternError) -> UInt32 {
        let isBraced = take("{")
        var digits = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit,
            digits.count < (isBraced ? 6 : 2)
        {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        guard let value = UInt32(digits, radix: 16), value <= ScalarSet.last,
            !isBraced || take("}")
        else {
            throw PatternError(offset: start, .hexForm)
        }
        return value
    }

    private mutating func characterClass(startingAt start: Int) throws(PatternError) -> ScalarSet {
        let isInverted = take("^")
        var set = ScalarSet([])
        var isFirst = true
        while true {
            guard let scalar = next else {
                throw PatternError(offset: start, .openClass)
            }
            if scalar == "]", !isFirst { break }
            isFirst = false
            let itemStart = position
            if isNext("[:") {
                set = set.union(try namedClass(startingAt: itemStart))
                continue
            }
            let lower = try classItem()
            guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                set = set.union(lower)
                continue
            }
            position += 1
            let upper = try classItem()
            guard let first = lower.single, let last = upper.single, first <= last else {
                throw PatternError(offset: itemStart, .rangeOrder)
            }
            set = set.union(ScalarSet([first...last]))
        }
        position += 1
        // Folding before inverting keeps “[^a]” from matching “A” when case is ignored.
        return isInverted ? folded(set).inverted : set
    }

    private mutating func classItem() throws(PatternError) -> ScalarSet {
        let start = position
        if take("\\") {
            if take("b") { return ScalarSet(0x08) }
            return try escapedSet(startingAt: start)
        }
        defer { position += 1 }
        return ScalarSet(scalars[position].value)
    }

    private mutating func namedClass(startingAt start: Int) throws(PatternError) -> ScalarSet {
        let names: [(String, ScalarSet)] = [
            ("[:alpha:]", ScalarSet([0x41...0x5A, 0x61...0x7A])), ("[:digit:]", .digits),
            ("[:alnum:]", ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])),
            ("[:upper:]", ScalarSet([0x41...0x5A])), ("[:lower:]", ScalarSet([0x61...0x7A])),
            ("[:space:]", .spaces), ("[:word:]", .wordCharacters),
            ("[:punct:]", ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])),
            ("[:xdigit:]", ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])),
        ]
        for (name, set) in names where isNext(name) {
            position += name.unicodeScalars.count
            return set
        }
        throw PatternError(offset: start, .className)
    }
}

extension ScalarSet {
    fileprivate var single: UInt32? {
        guard ranges.count == 1, ranges[0].lowerBound == ranges[0].upperBound else { return nil }
        return ranges[0].lowerBound
    }
}
