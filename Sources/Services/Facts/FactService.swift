import Model
import Ports

/// Hands out what happened in a workspace, in one order, so that a reader outside that remembers the
/// last number misses nothing and gets nothing twice.
package struct FactService: Sendable {
    /// The most facts of a page.
    package static let limits = 1...10_000
    /// For how many seconds a reader may wait for the next fact.
    package static let waits = 0...30
    private static let looksEachSecond = 2
    /// Reads of few rows each, before a page without facts is handed out.
    private static let readsOfPage = 20

    private let store: any FactStore
    private let pause: @Sendable () async throws -> Void

    /// - Parameter pause: Waits for half a second.
    package init(
        store: any FactStore,
        pause: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .milliseconds(500))
        }
    ) {
        self.store = store
        self.pause = pause
    }

    /// The next facts.
    ///
    /// - Parameters:
    ///   - number: The position of the page before; 0 begins with the first fact.
    ///   - seconds: How long to wait for a fact if there is none.
    /// - Throws: ``UnknownFactPositionError``.
    package func page(
        in workspace: WorkspaceID,
        after number: Int64,
        kinds: Set<Fact.Kind> = Set(Fact.Kind.allCases),
        limit: Int,
        waiting seconds: Int = 0
    ) async throws -> FactPage {
        let last = try await store.lastFactNumber()
        guard number <= last else { throw UnknownFactPositionError(last: last) }
        var looks = seconds * Self.looksEachSecond
        var position = number
        while true {
            let page = try await next(in: workspace, after: position, kinds, limit)
            guard page.facts.isEmpty, page.isLast, looks > 0 else { return page }
            position = page.position
            looks -= 1
            try await pause()
        }
    }

    private func next(
        in workspace: WorkspaceID,
        after number: Int64,
        _ kinds: Set<Fact.Kind>,
        _ limit: Int
    ) async throws -> FactPage {
        var position = number
        var reads = Self.readsOfPage
        while true {
            var page = try await store.facts(
                in: workspace,
                after: position,
                kinds: kinds,
                limit: limit
            )
            reads -= 1
            position = page.position
            // Rows that have no number yet come after it.
            if page.isLast { page.isLast = try await !store.numberFacts() }
            guard page.facts.isEmpty, reads > 0, !page.isLast else { return page }
        }
    }

    /// The last number that was given to a fact of any workspace.
    package func lastNumber() async throws -> Int64 { try await store.lastFactNumber() }
}

/// A reader goes on after a fact that this server never handed out, as one does after a restore.
package struct UnknownFactPositionError: Error, Sendable, Hashable {
    package var last: Int64
}
