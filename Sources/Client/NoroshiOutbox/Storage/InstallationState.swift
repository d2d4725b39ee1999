import Foundation
import NoroshiWire

/// The state of an installation besides its records: its identity, its user and the interactions it
/// has reported.
///
/// It is stored as JSON; a missing field takes its default, so that files of older versions can be
/// read, and unknown fields of newer versions are ignored.
package struct InstallationState: Sendable, Codable, Equatable {
    /// The open session.
    package struct Session: Sendable, Codable, Equatable {
        package var id: UUID
        /// Seconds in the foreground until the last time the app left it.
        package var activeSeconds: Double
        /// When the app came to the foreground; `nil` while it is in the background.
        package var foregroundSince: Date?
        /// When the session was last known to be in use.
        package var lastActive: Date
        /// The user to whom the session belongs.
        package var user: SDKUser

        package init(id: UUID, start: Date, user: SDKUser) {
            self.id = id
            self.user = user
            activeSeconds = 0
            foregroundSince = start
            lastActive = start
        }

        /// Records every few seconds that the session is in use, so that its length is known even
        /// if the process dies in the foreground.
        package mutating func touch(at time: Date) {
            guard let since = foregroundSince, time.timeIntervalSince(lastActive) >= 5 else {
                return
            }
            activeSeconds += max(0, time.timeIntervalSince(since))
            foregroundSince = time
            lastActive = time
        }
    }

    /// The id of the installation.
    package var deviceID: UUID
    /// The id of the anonymous user.
    package var anonymousID: UUID
    /// The user's identifier, set by the app.
    package var externalID: String?
    /// The signed tokens of users whose records may still be waiting, for SDK authentication.
    package var signatures: [String: String] = [:]
    /// Whether the SDK is enabled.
    package var isEnabled = true
    /// The push token in use.
    package var pushToken: SDKRecord.PushToken?
    /// The open session.
    package var session: Session?
    /// Interactions with pushes that were already recorded, oldest first.
    package var seenInteractions: [String] = []
    /// The dispatch ids of the latest pushes by their numbers, for apps that report by number.
    package var dispatches: [Int64: UUID] = [:]
    /// The pages of push stories that were tapped in an extension, by dispatch id, until the app has
    /// recorded the open.
    package var storyPages: [String: Int] = [:]
    /// The standard fields set by this installation, for reading back.
    package var profileFields: [String: JSONValue] = [:]
    /// Number of imports of data that an older app version left in UserDefaults.
    package var legacyImportCount = 0

    /// Maximum number of remembered interactions.
    package static let seenInteractionLimit = 400

    package init(deviceID: UUID, anonymousID: UUID) {
        self.deviceID = deviceID
        self.anonymousID = anonymousID
    }

    /// The current user.
    package var user: SDKUser {
        if let externalID { .external(externalID) } else { .anonymous(anonymousID) }
    }

    /// This installation, combined with the interactions that another process of the same app has
    /// recorded.
    func joined(by other: InstallationState) -> InstallationState {
        var joined = self
        for interaction in other.seenInteractions { _ = joined.recordInteraction(interaction) }
        for (number, dispatch) in other.dispatches {
            joined.recordDispatch(dispatch, number: number)
        }
        joined.storyPages.merge(other.storyPages) { own, _ in own }
        joined.pushToken = pushToken ?? other.pushToken
        joined.legacyImportCount = max(legacyImportCount, other.legacyImportCount)
        return joined
    }

    /// Remembers the dispatch of a push number.
    package mutating func recordDispatch(_ dispatch: UUID, number: Int64) {
        dispatches[number] = dispatch
        if dispatches.count > 64, let oldest = dispatches.keys.min() { dispatches[oldest] = nil }
    }

    /// Remembers the tapped page of a push story.
    package mutating func setStoryPage(_ page: Int, of dispatch: UUID) {
        // Taps that no app has opened are worthless by then.
        if storyPages.count >= 16 { storyPages = [:] }
        storyPages[dispatch.uuidString] = page
    }

    /// Removes and returns the tapped page of a push story.
    package mutating func takeStoryPage(of dispatch: UUID) -> Int? {
        storyPages.removeValue(forKey: dispatch.uuidString)
    }

    /// Stores the signed token of `externalID`, or removes it if it is `nil`.
    package mutating func setSignature(_ signature: String?, of externalID: String) {
        // Tokens are valid for hours; those of former users are worthless.
        if signatures.count > 8, signatures[externalID] == nil { signatures = [:] }
        signatures[externalID] = signature
    }

    /// Records an interaction; `false` if it was already recorded.
    package mutating func recordInteraction(_ key: String) -> Bool {
        guard !seenInteractions.contains(key) else { return false }
        seenInteractions.append(key)
        if seenInteractions.count > Self.seenInteractionLimit {
            seenInteractions.removeFirst(seenInteractions.count - Self.seenInteractionLimit)
        }
        return true
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        deviceID = try container.decode(UUID.self, forKey: .deviceID)
        anonymousID = try container.decode(UUID.self, forKey: .anonymousID)
        externalID = try container.decodeIfPresent(String.self, forKey: .externalID)
        signatures =
            try container.decodeIfPresent([String: String].self, forKey: .signatures) ?? [:]
        isEnabled = try container.decodeIfPresent(Bool.self, forKey: .isEnabled) ?? true
        pushToken = try container.decodeIfPresent(SDKRecord.PushToken.self, forKey: .pushToken)
        session = try container.decodeIfPresent(Session.self, forKey: .session)
        seenInteractions =
            try container.decodeIfPresent([String].self, forKey: .seenInteractions) ?? []
        dispatches =
            try container.decodeIfPresent([Int64: UUID].self, forKey: .dispatches) ?? [:]
        storyPages =
            try container.decodeIfPresent([String: Int].self, forKey: .storyPages) ?? [:]
        profileFields =
            try container.decodeIfPresent([String: JSONValue].self, forKey: .profileFields) ?? [:]
        legacyImportCount =
            try container.decodeIfPresent(Int.self, forKey: .legacyImportCount) ?? 0
    }
}
