/// Provides the virtual phones for the pages. The server adapts its devices to this protocol.
package protocol PhoneHost: Sendable {
    func phones() async -> [PhoneSummary]
    func state(of phone: String) async -> PhoneState?
    /// The current state and every later one.
    func changes(of phone: String) async -> AsyncStream<PhoneState>
    /// Performs an action of the phone's user.
    func perform(_ action: PhoneAction, on phone: String) async throws
    /// Creates a phone and returns its id.
    func addPhone(language: String) async throws -> String
}

/// A phone in the list.
package struct PhoneSummary: Sendable, Hashable, Codable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
