import Foundation
import Model
import Ports

/// Reads items of catalogs for messages.
///
/// A selection scans all items of its catalog, so its result is cached for half a minute.
package actor CatalogReader {
    private static let lifetime: TimeInterval = 30
    /// Maximum number of cached selections.
    private static let entryLimit = 64
    /// Number of items of an unordered selection from which each message gets a random sample.
    private static let sampleSize = 1_000
    /// Number of items read at a time; one may have 100 KiB.
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
    /// Callers waiting for a selection that another message's render is reading.
    private var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]

    /// - Parameter random: Returns a number from 0 to 1.
    package init(
        store: any CatalogStore,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.now = now
        self.random = random
    }

    /// The existing items with these ids, in the order of the ids; `nil` if the catalog does not
    /// exist.
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

    /// The items of a selection for one message; `nil` if the selection does not exist.
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

    /// Setting the clock back does not extend the lifetime of an entry.
    private func isFresh(_ entry: Entry) -> Bool {
        abs(now().timeIntervalSince(entry.time)) < Self.lifetime
    }

    /// Scans the catalog.
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

    /// A random sample of the ids, as many as the selection gives to a message.
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

/// The items of a selection found so far; never more than needed.
private struct Found {
    let selection: CatalogSelection
    let kind: Catalog.Field.Kind
    var items: [(id: String, key: CatalogSelection.Key?)] = []
    private var count = 0

    init(selection: CatalogSelection, kind: Catalog.Field.Kind) {
        self.selection = selection
        self.kind = kind
    }

    /// Inserts an item in order, after equal ones.
    mutating func insert(_ item: CatalogItem) {
        let key = selection.key(of: item, kind)
        let place = items.firstIndex { selection.precedes(key, $0.key) } ?? items.count
        guard place < selection.limit else { return }
        items.insert((item.id, key), at: place)
        if items.count > selection.limit { items.removeLast() }
    }

    /// Samples an item so that all items have the same chance (reservoir sampling).
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
