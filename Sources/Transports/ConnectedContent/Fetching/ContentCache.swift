import Foundation
import Liquid
import Model
import Synchronization

/// The properties in which two calls must agree to share a response.
struct ContentKey: Sendable, Hashable {
    let workspace: WorkspaceID
    let url: String
    let method: String
    let headers: [String: String]
    let body: String?
    let contentType: String?
    let basicAuth: String?

    init(_ request: ConnectedContentRequest, _ workspace: WorkspaceID) {
        self.workspace = workspace
        url = request.url
        method = request.method
        headers = request.headers
        body = request.body
        contentType = request.contentType
        basicAuth = request.basicAuth
    }

    /// Approximate size in memory.
    var bytes: Int {
        headers.reduce(url.utf8.count + (body?.utf8.count ?? 0) + 200) {
            $0 + $1.key.utf8.count + $1.value.utf8.count
        }
    }
}

/// Cached responses, up to a number of bytes. The least recently used ones are evicted first.
final class ContentCache: Sendable {
    private struct Entry {
        let response: ConnectedContentResponse
        /// When the response was fetched; each call has its own maximum age.
        let fetchedAt: Date
        let bytes: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [ContentKey: Entry] = [:]
        var bytes = 0
        var uses = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    var bytes: Int { state.withLock { $0.bytes } }

    func response(
        to key: ContentKey,
        noOlderThan seconds: Int,
        now: Date
    ) -> ConnectedContentResponse? {
        state.withLock { state in
            guard let entry = state.entries[key],
                now < entry.fetchedAt.addingTimeInterval(Double(seconds))
            else { return nil }
            state.uses += 1
            state.entries[key]?.lastUse = state.uses
            return entry.response
        }
    }

    func store(_ response: ConnectedContentResponse, for key: ContentKey, now: Date) {
        let bytes = response.body.count + key.bytes
        guard bytes <= limit else { return }
        state.withLock { state in
            if let old = state.entries.removeValue(forKey: key) { state.bytes -= old.bytes }
            if state.bytes + bytes > limit { makeRoom(&state) }
            state.uses += 1
            state.entries[key] = Entry(
                response: response,
                fetchedAt: now,
                bytes: bytes,
                lastUse: state.uses
            )
            state.bytes += bytes
        }
    }

    /// Evicts the least recently used half, so that not every insertion has to sort.
    private func makeRoom(_ state: inout State) {
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.bytes > limit / 2 else { return }
            state.entries[key] = nil
            state.bytes -= entry.bytes
        }
    }
}
