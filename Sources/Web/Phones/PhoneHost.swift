/// The virtual phones behind the pages. The server adapts its devices to this.
package protocol PhoneHost: Sendable {
    func phones() async -> [PhoneSummary]
    func state(of phone: String) async -> PhoneState?
    /// The state now, and again after every change.
    func changes(of phone: String) async -> AsyncStream<PhoneState>
    /// Does what a person does with the phone.
    func perform(_ action: PhoneAction, on phone: String) async throws
    /// Makes another phone and returns its id.
    func addPhone(language: String) async throws -> String
}

/// A phone as the list shows it.
package struct PhoneSummary: Sendable, Hashable, Codable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
