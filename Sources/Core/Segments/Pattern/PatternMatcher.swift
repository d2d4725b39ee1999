/// Matches one pattern against many texts and caches the deterministic states.
///
/// It is a value type for one thread: each worker creates its own.
package struct PatternMatcher: Sendable {
    /// The kind of character before the current position, as far as anchors depend on it.
    private enum Before: Int, Hashable {
        case start
        case word
        case other
    }

    private struct State: Hashable {
        let threads: Threads
        let before: Before
    }

    /// The instructions that a state is at, a bit each: states of costly patterns are at hundreds, and each state
    /// is compared with others.
    private struct Threads: Hashable {
        private var words: [UInt64]

        /// - Parameter count: How many instructions there are.
        init(of count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

        var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

        mutating func insert(_ index: Int) { words[index / 64] |= 1 << UInt64(index % 64) }

        /// All of them, in their order.
        var indices: [Int] {
            var indices: [Int] = []
            for (position, word) in words.enumerated() {
                var rest = word
                while rest != 0 {
                    indices.append(position * 64 + rest.trailingZeroBitCount)
                    rest &= rest - 1
                }
            }
            return indices
        }
    }

    private static let unknown: Int32 = -1
    private static let accepted: Int32 = -2
    /// No continuation can match.
    private static let failed: Int32 = -3
    private static let maxStates = 2_000
    /// Maximum number of instructions visited to create states. Ordinary patterns need few states
    /// and stay far below; a pattern that creates new states for every text is stopped within
    /// seconds.
    private static let maxEffort = 20_000_000

    private let pattern: Pattern
    /// One column per class of the alphabet and one for the end of the text.
    private let width: Int
    private var states: [State] = []
    private var numbers: [State: Int32] = [:]
    private var transitions: [Int32] = []
    private var visited: [Bool]
    private var effort = 0

    /// Whether the pattern was too costly. Results since then are "not found" and meaningless.
    package var isExhausted: Bool { effort > PatternMatcher.maxEffort }

    package init(_ pattern: Pattern) {
        self.pattern = pattern
        width = pattern.boundaries.count + 1
        visited = Array(repeating: false, count: pattern.instructions.count)
        reset()
    }

    private mutating func reset() {
        states.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        transitions.removeAll(keepingCapacity: true)
        var threads = Threads(of: pattern.instructions.count)
        threads.insert(pattern.start)
        _ = number(of: State(threads: threads, before: .start))
    }

    /// Whether the pattern is found anywhere in the text.
    package mutating func isFound(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { isFound(inUTF8: $0) }
    }

    private mutating func isFound(inUTF8 bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isExhausted else { return false }
        var state: Int32 = 0
        var index = 0
        while index < bytes.count {
            let column: Int
            let byte = bytes[index]
            if UTF8.isASCII(byte) {
                column = Int(pattern.asciiClasses[Int(byte)])
                index += 1
            } else {
                let scalar = PatternMatcher.decode(bytes, at: &index)
                column = pattern.classIndex(of: scalar)
            }
            state = step(from: state, column: column)
            switch state {
            case PatternMatcher.accepted: return true
            case PatternMatcher.failed: return false
            default: break
            }
        }
        return step(from: state, column: width - 1) == PatternMatcher.accepted
    }

    /// Reads one scalar of a Swift string's bytes, which are always well formed.
    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at index: inout Int
    ) -> UInt32 {
        let lead = UInt32(bytes[index])
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var scalar = lead & (0xFF >> UInt32(length + 1))
        for offset in 1..<length {
            scalar = scalar << 6 | UInt32(bytes[index + offset]) & 0x3F
        }
        index += length
        return scalar
    }

    private mutating func step(from state: Int32, column: Int) -> Int32 {
        let slot = Int(state) * width + column
        let known = transitions[slot]
        if known != PatternMatcher.unknown { return known }
        let next = computeStep(from: states[Int(state)], column: column)
        switch next {
        case .accepted: transitions[slot] = PatternMatcher.accepted
        case .failed: transitions[slot] = PatternMatcher.failed
        case .state(let target):
            if states.count >= PatternMatcher.maxStates, numbers[target] == nil {
                // Discarding the states bounds the memory; needed ones are created again.
                reset()
                return number(of: target)
            }
            let targetNumber = number(of: target)
            transitions[slot] = targetNumber
            return targetNumber
        }
        return transitions[slot]
    }

    private enum Step {
        case accepted
        case failed
        case state(State)
    }

    private mutating func computeStep(from state: State, column: Int) -> Step {
        let isEnd = column == width - 1
        let scalar = isEnd ? 0 : pattern.boundaries[column]
        let isWord = !isEnd && ScalarSet.wordCharacters.contains(scalar)
        var next = Threads(of: pattern.instructions.count)
        var reached: [Int] = []
        var pending = state.threads.indices
        defer {
            for index in reached { visited[index] = false }
            effort += reached.count
        }
        while let index = pending.popLast() {
            guard !visited[index] else { continue }
            visited[index] = true
            reached.append(index)
            switch pattern.instructions[index] {
            case .accept:
                return .accepted
            case .split(let targets):
                pending.append(contentsOf: targets)
            case .anchor(let anchor, let target):
                let isBoundary = (state.before == .word) != isWord
                let holds =
                    switch anchor {
                    case .start: state.before == .start
                    case .end: isEnd
                    case .wordBoundary: isBoundary
                    case .notWordBoundary: !isBoundary
                    }
                if holds { pending.append(target) }
            case .scalars(let set, let target):
                if !isEnd, set.contains(scalar) { next.insert(target) }
            }
        }
        if isEnd { return .failed }
        // A match may start at any position, unless the pattern is anchored at the start.
        if !isAnchoredAtStart { next.insert(pattern.start) }
        guard !next.isEmpty else { return .failed }
        return .state(State(threads: next, before: isWord ? .word : .other))
    }

    private var isAnchoredAtStart: Bool {
        if case .anchor(.start, _) = pattern.instructions[pattern.start] { return true }
        return false
    }

    private mutating func number(of state: State) -> Int32 {
        if let known = numbers[state] { return known }
        let number = Int32(states.count)
        states.append(state)
        numbers[state] = number
        transitions.append(
            contentsOf: repeatElement(PatternMatcher.unknown, count: width)
        )
        return number
    }
}
