import Liquid
import Model
import Ports
import Reasons

/// Reads the content blocks that a message names, and those that these name.
package struct ContentBlockReader: Sendable {
    /// How deep blocks may include one another.
    package static let nestingLimit = 5
    /// How many blocks one message may use.
    package static let countLimit = 100

    private let store: any ContentBlockStore

    package init(store: any ContentBlockStore) {
        self.store = store
    }

    /// The blocks of these names and what they include. What is wrong with one is found again in
    /// the set, under its name.
    package func blocks(
        named names: [String],
        in workspace: WorkspaceID
    ) async throws -> ContentBlockSet {
        guard !names.isEmpty else { return .none }
        var graph = ContentBlockGraph()
        var wanted = names
        while graph.takes(wanted) {
            let found = try await store.contentBlocks(named: wanted, in: workspace)
            wanted = graph.add(found, asked: wanted)
        }
        return graph.checked(nestingLimit: Self.nestingLimit)
    }

    /// The same from blocks that are at hand.
    package static func blocks(named names: [String], among blocks: [String: ContentBlock])
        -> ContentBlockSet
    {
        guard !names.isEmpty else { return .none }
        var graph = ContentBlockGraph()
        var wanted = names
        while graph.takes(wanted) {
            wanted = graph.add(wanted.compactMap { blocks[$0] }, asked: wanted)
        }
        return graph.checked(nestingLimit: nestingLimit)
    }
}

/// Which block includes which.
struct ContentBlockGraph {
    private var templates: [String: Template] = [:]
    private var problems: [String: Reason] = [:]

    /// Whether there are blocks to be read; refuses them where they are too many for one message.
    mutating func takes(_ names: [String]) -> Bool {
        let limit = ContentBlockReader.countLimit
        guard templates.count + problems.count + names.count > limit else { return !names.isEmpty }
        for name in names { refuse(name, .blockLimit, ["count": "\(limit)"]) }
        return false
    }

    private mutating func refuse(
        _ name: String,
        _ code: MessageReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        refuse(name, Reason(code, arguments))
    }

    private mutating func refuse(_ name: String, _ reason: Reason) {
        problems[name] = Reason(
            MessageReason.blockUnusable,
            ["name": .text(name), "reason": .reason(reason)]
        )
    }

    /// Parses blocks and returns the names of those they include that are not here yet.
    mutating func add(_ blocks: [ContentBlock], asked: [String]) -> [String] {
        for block in blocks {
            guard block.state == .active else {
                refuse(block.name, .blockDraft)
                continue
            }
            do throws(LiquidError) {
                templates[block.name] = try Template(
                    parsing: block.content,
                    name: block.name,
                    mode: .strict
                )
            } catch {
                refuse(block.name, error.whole)
            }
        }
        for name in asked where templates[name] == nil && problems[name] == nil {
            refuse(name, .blockMissing)
        }
        var next: [String] = []
        for block in blocks {
            for name in templates[block.name]?.contentBlocks ?? []
            where templates[name] == nil && problems[name] == nil && !next.contains(name) {
                next.append(name)
            }
        }
        return next
    }

    /// The set, with the blocks marked that include themselves or lie too deep.
    func checked(nestingLimit: Int) -> ContentBlockSet {
        var checked = self
        var depths: [String: Int] = [:]
        for name in templates.keys.sorted() {
            _ = checked.depth(of: name, under: [], nestingLimit, &depths)
        }
        return ContentBlockSet(
            templates: checked.templates.filter { checked.problems[$0.key] == nil },
            problems: checked.problems
        )
    }

    /// How many blocks lie in one another from this one on.
    private mutating func depth(
        of name: String,
        under path: [String],
        _ limit: Int,
        _ depths: inout [String: Int]
    ) -> Int {
        if let depth = depths[name] { return depth }
        if let start = path.firstIndex(of: name) {
            let cycle = path[start...] + [name]
            for member in Set(cycle) {
                refuse(member, .blockCircle, ["chain": "\(cycle.joined(separator: " → "))"])
            }
            return 0
        }
        // The stack is bounded by the number of blocks.
        var inner = 0
        for next in templates[name]?.contentBlocks ?? [] {
            inner = max(inner, depth(of: next, under: path + [name], limit, &depths))
        }
        let depth = inner + 1
        if depth > limit, problems[name] == nil {
            refuse(name, .blockDepth, ["count": "\(limit)"])
        }
        depths[name] = depth
        return depth
    }
}
