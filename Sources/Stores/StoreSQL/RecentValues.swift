import Synchronization

/// Values that were read from texts a short time ago: a campaign is read again for each of its launches, and
/// reading its JSON costs more than all else of a small one.
final class RecentValues<Value: Sendable>: Sendable {
    private struct State {
        var recent: [String: Value] = [:]
        var older: [String: Value] = [:]
    }

    /// Maximum number of texts per generation; two are kept.
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// - Parameter read: Always reads the same of the same text.
    func value(_ text: String, _ read: (String) throws -> Value) rethrows -> Value {
        let known = state.withLock { state -> Value? in
            if let value = state.recent[text] { return value }
            guard let value = state.older[text] else { return nil }
            add(value, of: text, to: &state)
            return value
        }
        if let known { return known }
        let value = try read(text)
        state.withLock { add(value, of: text, to: &$0) }
        return value
    }

    /// - Parameter value: What reading the text would give.
    func keep(_ value: Value, of text: String) {
        state.withLock { add(value, of: text, to: &$0) }
    }

    private func add(_ value: Value, of text: String, to state: inout State) {
        if state.recent.count >= limit {
            state.older = state.recent
            state.recent = [:]
        }
        state.recent[text] = value
    }
}
