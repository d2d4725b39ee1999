/// Which ways users took, step by step.
package struct PathsAnswer: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        case kind(PathKind)
        /// All kinds that are not shown by themselves.
        case other
        /// Nothing more within the window.
        case end
    }

    package struct Node: Sendable, Hashable {
        package var place: Place
        package var users: Int

        package init(_ place: Place, users: Int) {
            self.place = place
            self.users = users
        }
    }

    /// Users who went from one place to another.
    package struct Link: Sendable, Hashable {
        /// The number of the place at the step before; 0 where that is the start.
        package var from: Int
        package var to: Int
        package var users: Int

        package init(from: Int, to: Int, users: Int) {
            self.from = from
            self.to = to
            self.users = users
        }
    }

    package struct Step: Sendable, Hashable {
        /// Those with the most users first, then the others, then the end.
        package var nodes: [Node]
        /// By place at the step before, then by place at this one.
        package var links: [Link]

        package init(nodes: [Node], links: [Link]) {
            self.nodes = nodes
            self.links = links
        }
    }

    /// A whole path, as one user or more took it.
    package struct Path: Sendable, Hashable {
        /// Fewer than were asked for where nothing more happened.
        package var kinds: [PathKind]
        package var users: Int

        package init(_ kinds: [PathKind], users: Int) {
            self.kinds = kinds
            self.users = users
        }
    }

    /// Who did what a path begins with.
    package var users: Int
    package var start: PathKind
    package var steps: [Step]
    /// The most frequent ones.
    package var paths: [Path]

    /// - Parameters:
    ///   - counts: How many users took each path.
    ///   - kinds: What the numbers in paths are, in the order of kinds.
    package init(_ question: PathsQuestion, counts: [PathSteps: Int], kinds: [PathKind]) {
        users = counts.values.reduce(0, +)
        start = PathKind(question.start)
        steps = []
        var shown: [[UInt32?: Int]] = []
        for step in 0..<question.length {
            let places = Places(step, counts, question.limit)
            shown.append(places.numbers)
            let previous = step == 0 ? nil : shown[step - 1]
            steps.append(
                Step(
                    nodes: places.nodes(kinds),
                    links: places.links(step, counts, after: previous)
                )
            )
        }
        paths =
            counts.sorted { one, other in
                one.value != other.value
                    ? one.value > other.value : one.key.precedes(other.key)
            }
            .prefix(ReportLimits.shownPaths)
            .map { steps, users in
                Path((0..<steps.count).map { kinds[Int(steps[$0])] }, users: users)
            }
    }
}

extension PathSteps {
    /// By the order of kinds; a path that ends comes before one that goes on.
    fileprivate func precedes(_ other: PathSteps) -> Bool {
        (0..<count).map { self[$0] }.lexicographicallyPrecedes((0..<other.count).map { other[$0] })
    }
}

/// The places of one step, by number.
private struct Places {
    /// Stands for all kinds that are not shown by themselves; no kind has this number.
    private static let other = UInt32.max

    /// The numbers of the shown kinds, of the others and, as `nil`, of the end.
    let numbers: [UInt32?: Int]
    private let shown: [(kind: UInt32?, users: Int)]

    init(_ step: Int, _ counts: [PathSteps: Int], _ limit: Int) {
        var users: [UInt32: Int] = [:]
        var ended = 0
        for (path, count) in counts {
            if step < path.count {
                users[path[step], default: 0] += count
            } else if step == path.count {
                ended += count
            }
        }
        let ordered = users.sorted {
            $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
        }
        var shown: [(kind: UInt32?, users: Int)] = ordered.prefix(limit).map { ($0.key, $0.value) }
        let rest = ordered.dropFirst(limit).reduce(0) { $0 + $1.value }
        if rest > 0 { shown.append((Self.other, rest)) }
        if ended > 0 { shown.append((nil, ended)) }
        self.shown = shown
        numbers = Dictionary(
            uniqueKeysWithValues: shown.enumerated().map { ($1.kind, $0) }
        )
    }

    func nodes(_ kinds: [PathKind]) -> [PathsAnswer.Node] {
        shown.map { kind, users in
            switch kind {
            case Self.other?: PathsAnswer.Node(.other, users: users)
            case let kind?: PathsAnswer.Node(.kind(kinds[Int(kind)]), users: users)
            case nil: PathsAnswer.Node(.end, users: users)
            }
        }
    }

    func links(
        _ step: Int,
        _ counts: [PathSteps: Int],
        after previous: [UInt32?: Int]?
    ) -> [PathsAnswer.Link] {
        struct Ends: Hashable {
            var from: Int
            var to: Int
        }
        var users: [Ends: Int] = [:]
        for (path, count) in counts where step <= path.count {
            let from = previous.map { Self.number(of: path[step - 1], $0) } ?? 0
            let to =
                step < path.count ? Self.number(of: path[step], numbers) : numbers[nil] ?? 0
            users[Ends(from: from, to: to), default: 0] += count
        }
        return users.map { PathsAnswer.Link(from: $0.from, to: $0.to, users: $1) }
            .sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private static func number(of kind: UInt32, _ numbers: [UInt32?: Int]) -> Int {
        numbers[kind] ?? numbers[other] ?? 0
    }
}
