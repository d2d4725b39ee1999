import Liquid
import Model
import Ports
import Reasons

/// Reads the content blocks that a message names, and those that they include.
package struct ContentBlockReader: Sendable {
    /// Maximum nesting depth of blocks.
    package static let nestingLimit = 5
    /// Maximum number of blocks that one message may use.
    package static let countLimit = 100

    private let store: any ContentBlockStore

    package init(store: any ContentBlockStore) {
        self.store = store
    }

    /// The blocks with these names and those that they include. The set contains the problem of an
    /// invalid block under its name.
    package func blocks(
        named names: [String],
        in workspace: WorkspaceID
    ) async throws -> ContentBlockSet {
        guard !names.isEmpty else { return .none }
        return try await graph(of: names, in: workspace).graph
            .checked(nestingLimit: Self.nestingLimit)
    }

    /// The same for the messages of a send: as the blocks were when its first message was written.
    package func blocks(
        named names: [String],
        of send: SendID,
        in workspace: WorkspaceID
    ) async throws -> ContentBlockSet {
        guard !names.isEmpty else { return .none }
        let sent: [SentContentBlock]
        if let kept = try await store.contentBlocks(of: send) {
            sent = kept
        } else {
            let found = try await graph(of: names, in: workspace).found
            sent = try await store.keepContentBlocks(found, of: send)
        }
        let known = Dictionary(sent.map { ($0.name, $0) }) { first, _ in first }
        return Self.blocks(named: names, among: known)
    }

    private func graph(
        of names: [String],
        in workspace: WorkspaceID
    ) async throws -> (graph: ContentBlockGraph, found: [SentContentBlock]) {
        var graph = ContentBlockGraph()
        var found: [SentContentBlock] = []
        var wanted = names
        while graph.takes(wanted) {
            let next = try await store.contentBlocks(named: wanted, in: workspace)
                .map(SentContentBlock.init)
            found += next
            wanted = graph.add(next, asked: wanted)
        }
        return (graph, found)
    }

    /// The same for blocks that are already loaded.
    package static func blocks(named names: [String], among blocks: [String: ContentBlock])
        -> ContentBlockSet
    {
        Self.blocks(named: names, among: blocks.mapValues(SentContentBlock.init))
    }

    private static func blocks(named names: [String], among blocks: [String: SentContentBlock])
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

/// The graph of which block includes which.
struct ContentBlockGraph {
    private var templates: [String: Template] = [:]
    private var problems: [String: Reason] = [:]

    /// Whether blocks must be read; marks them as problems if they are too many for one message.
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

    /// Parses blocks and returns the names of those they include that are not loaded yet.
    mutating func add(_ blocks: [SentContentBlock], asked: [String]) -> [String] {
        for block in blocks {
            guard block.isActive else {
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

    /// The set, in which blocks are marked that include themselves or are nested too deeply.
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

    /// The nesting depth from this block on.
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
        // The depth of the stack is limited by the number of blocks.
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
