import Foundation

/// Provides the virtual phones for the pages. The server adapts its devices to this protocol.
package protocol PhoneHost: Sendable {
    func phones() async -> [PhoneSummary]
    func state(of phone: String) async -> PhoneState?
    /// The current state and every later one.
    func changes(of phone: String) async -> AsyncStream<PhoneState>
    /// The picture of a notification (page 0) or of a page of its push story, from 1; `nil` if the
    /// phone has none.
    func picture(of phone: String, notification: String, page: Int) async -> PhonePicture?
    /// Performs an action of the phone's user.
    func perform(_ action: PhoneAction, on phone: String) async throws
    /// Moves the clock that the phones and their server go by.
    ///
    /// - Throws: If they go by the system's, as ``PhoneState/secondsAhead`` says.
    func moveClock(by seconds: TimeInterval) async throws
    /// Begins to play the coming week for whoever is signed in on a phone.
    func playWeek(on phone: String) async
    /// What came of it; `nil` if it was not asked for.
    func week(on phone: String) async -> PhoneWeek?
    /// A phone on which a user is logged in, which the server knows by then: the user's own, or one
    /// that is kept for trials.
    func phone(for user: String, language: String) async throws -> String
    /// Shows an in-app message in the app until it is tapped or closed. Nothing of it is counted.
    func show(_ message: PhoneInAppMessage, on phone: String) async throws
    /// Creates a phone and returns its id.
    func addPhone(language: String) async throws -> String
}

/// A picture that a phone has downloaded.
package struct PhonePicture: Sendable, Hashable {
    package var bytes: [UInt8]
    /// Such as `image/png`.
    package var mediaType: String

    package init(bytes: [UInt8], mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
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
