import Reasons

/// A validated regular expression that matches in time linear in the text.
///
/// The expression is compiled to a non-deterministic automaton whose deterministic states are
/// created on demand (`PatternMatcher`). No pattern can make matching take exponential time, so
/// patterns from users are safe to run on every value of a column.
package struct Pattern: Sendable, Hashable {
    enum Instruction: Hashable, Sendable {
        case scalars(ScalarSet, next: Int)
        case split([Int])
        case anchor(PatternNode.Anchor, next: Int)
        case accept
    }

    package static let maxSourceLength = 32_764
    /// Limits the automaton, and with it the cost of one step.
    private static let maxInstructions = 4_000

    package let source: String
    let instructions: [Instruction]
    let start: Int
    /// The boundaries of alphabet classes: all scalars between two boundaries behave the same.
    let boundaries: [UInt32]
    let asciiClasses: [UInt16]

    package init(_ source: String, ignoringCase: Bool = true) throws(PatternError) {
        guard source.unicodeScalars.count <= Self.maxSourceLength else {
            throw PatternError(
                offset: Self.maxSourceLength,
                .length,
                ["count": "\(Self.maxSourceLength)"]
            )
        }
        var parser = PatternParser(source, ignoringCase: ignoringCase)
        let node = try parser.parse()
        var instructions: [Instruction] = [.accept]
        let start = try Pattern.emit(node, before: 0, into: &instructions)
        self.source = source
        self.instructions = instructions
        self.start = start

        // The edges of word characters are always boundaries, because “
        // b” tests them.
        var edges: Set<UInt32> = [0]
        func addEdges(of set: ScalarSet) {
            for range in set.ranges {
                edges.insert(range.lowerBound)
                edges.insert(range.upperBound + 1)
            }
        }
        addEdges(of: .wordCharacters)
        for case .scalars(let set, _) in instructions { addEdges(of: set) }
        let boundaries = edges.filter { $0 <= ScalarSet.last }.sorted()
        self.boundaries = boundaries
        asciiClasses = (0..<128).map { value in
            UInt16(Pattern.classIndex(of: value, in: boundaries))
        }
    }

    /// The index of the alphabet class of a scalar.
    func classIndex(of scalar: UInt32) -> Int {
        scalar < 128
            ? Int(asciiClasses[Int(scalar)]) : Pattern.classIndex(of: scalar, in: boundaries)
    }

    private static func classIndex(of scalar: UInt32, in boundaries: [UInt32]) -> Int {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= scalar { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Appends instructions that match `node` and then continue at `next`; returns their start.
    private static func emit(
        _ node: PatternNode,
        before next: Int,
        into instructions: inout [Instruction]
    ) throws(PatternError) -> Int {
        func append(_ instruction: Instruction) throws(PatternError) -> Int {
            guard instructions.count < maxInstructions else {
                throw PatternError(
                    offset: 0,
                    .tooLarge
                )
            }
            instructions.append(instruction)
            return instructions.count - 1
        }
        switch node {
        case .empty:
            return next
        case .scalars(let set):
            return try append(.scalars(set, next: next))
        case .anchor(let anchor):
            return try append(.anchor(anchor, next: next))
        case .sequence(let parts):
            var target = next
            for part in parts.reversed() {
                target = try emit(part, before: target, into: &instructions)
            }
            return target
        case .alternatives(let branches):
            var targets: [Int] = []
            for branch in branches {
                targets.append(try emit(branch, before: next, into: &instructions))
            }
            return try append(.split(targets))
        case .repeated(let body, let least, let most):
            var target = next
            if let most {
                for _ in least..<max(least, most) {
                    let entry = try emit(body, before: target, into: &instructions)
                    target = try append(.split([entry, next]))
                }
            } else {
                let loop = try append(.split([]))
                let entry = try emit(body, before: loop, into: &instructions)
                instructions[loop] = .split([entry, next])
                target = loop
            }
            for _ in 0..<least { target = try emit(body, before: target, into: &instructions) }
            return target
        }
    }
}
