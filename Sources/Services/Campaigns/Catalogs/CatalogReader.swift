import Foundation
import Model
import Ports

/// Finds items of catalogs for messages.
///
/// A selection is looked for in all items of its catalog, so what was found serves the messages of
/// the next half minute too.
package actor CatalogReader {
    private static let lifetime: TimeInterval = 30
    /// Selections that are remembered.
    private static let entryLimit = 64
    /// Items of a selection without an order of which each message gets some at random.
    private static let sampleSize = 1_000
    /// Items that are read at a time; one may have 100 KiB.
    private static let pageLength = 100

    private struct Key: Hashable {
        var workspace: WorkspaceID
        var catalog: String
        var selection: String
    }

    private struct Entry {
        var ids: [String]
        var selection: CatalogSelection
        var time: Date
    }

    private let store: any CatalogStore
    private let now: @Sendable () -> Date
    private let random: @Sendable () -> Double
    private var entries: [Key: Entry] = [:]
    /// Who waits for a selection that another message's render looks for.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter random: A number from 0 to 1.
    package init(
        store: any CatalogStore,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.now = now
        self.random = random
    }

    /// The items of these ids that exist, in the order of the ids; `nil` without such a catalog.
    package func items(
        _ ids: [String],
        of catalog: String,
        in workspace: WorkspaceID
    ) async throws -> [CatalogItem]? {
        let items = try await store.catalogItems(ids, in: catalog, of: workspace)
        if items.isEmpty, try await store.catalog(named: catalog, in: workspace) == nil {
            return nil
        }
        return items
    }

    /// The items that a message gets of a selection; `nil` without such a selection.
    package func items(
        ofSelection selection: String,
        of catalog: String,
        in workspace: WorkspaceID
    ) async throws -> [CatalogItem]? {
        let key = Key(workspace: workspace, catalog: catalog, selection: selection)
        guard let entry = try await entry(key) else { return nil }
        let ids = entry.selection.order == nil ? drawn(entry) : entry.ids
        return try await store.catalogItems(ids, in: catalog, of: workspace)
    }

    private func entry(_ key: Key) async throws -> Entry? {
        while true {
            if let entry = entries[key], isFresh(entry) { return entry }
            guard waiting[key] != nil else { break }
            await withCheckedContinuation { waiting[key, default: []].append($0) }
        }
        waiting[key] = []
        defer { for waiter in waiting.removeValue(forKey: key) ?? [] { waiter.resume() } }
        let found = try await find(key)
        if entries[key] == nil, entries.count >= Self.entryLimit,
            let oldest = entries.min(by: { $0.value.time < $1.value.time })
        {
            entries[oldest.key] = nil
        }
        entries[key] = found
        return found
    }

    /// A clock that was set back makes nothing last longer.
    private func isFresh(_ entry: Entry) -> Bool {
        abs(now().timeIntervalSince(entry.time)) < Self.lifetime
    }

    /// Goes through the catalog.
    private func find(_ key: Key) async throws -> Entry? {
        let time = now()
        guard let catalog = try await store.catalog(named: key.catalog, in: key.workspace),
            let selection = catalog.selections.first(where: { $0.name == key.selection })
        else { return nil }
        let kind = catalog.fields.first { $0.name == selection.order?.field }?.type ?? .string
        var found = Found(selection: selection, kind: kind)
        var last: String?
        repeat {
            let page = try await store.catalogItems(
                after: last,
                limit: Self.pageLength,
                in: key.catalog,
                of: key.workspace
            )
            for item in page where selection.includes(item) {
                if selection.order == nil {
                    found.sample(item, of: Self.sampleSize, random)
                } else {
                    found.insert(item)
                }
            }
            last = page.count < Self.pageLength ? nil : page.last?.id
        } while last != nil
        return Entry(ids: found.items.map(\.id), selection: selection, time: time)
    }

    /// Some of the ids at random, as many as the selection gives to a message.
    private func drawn(_ entry: Entry) -> [String] {
        var ids = entry.ids
        let count = min(entry.selection.limit, ids.count)
        for index in 0..<count {
            ids.swapAt(index, index + Self.number(below: ids.count - index, random))
        }
        return Array(ids.prefix(count))
    }

    fileprivate static func number(below limit: Int, _ random: () -> Double) -> Int {
        min(limit - 1, Int(random() * Double(limit)))
    }
}

/// What was found of a selection so far; never more than is needed.
private struct Found {
    let selection: CatalogSelection
    let kind: Catalog.Field.Kind
    var items: [(id: String, key: CatalogSelection.Key?)] = []
    private var count = 0

    init(selection: CatalogSelection, kind: Catalog.Field.Kind) {
        self.selection = selection
        self.kind = kind
    }

    /// Puts an item in its place, behind those it is equal to.
    mutating func insert(_ item: CatalogItem) {
        let key = selection.key(of: item, kind)
        let place = items.firstIndex { selection.precedes(key, $0.key) } ?? items.count
        guard place < selection.limit else { return }
        items.insert((item.id, key), at: place)
        if items.count > selection.limit { items.removeLast() }
    }

    /// Keeps an item so that all that came have the same chance (reservoir sampling).
    mutating func sample(_ item: CatalogItem, of size: Int, _ random: () -> Double) {
        count += 1
        if items.count < size {
            items.append((item.id, nil))
        } else {
            let place = CatalogReader.number(below: count, random)
            if place < size { items[place] = (item.id, nil) }
        }
    }
}
