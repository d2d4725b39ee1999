import Foundation
import NoroshiWire

/// What an installation remembers beside its records: who it is, who uses it and what it has seen.
///
/// It is stored as JSON; a missing field takes its default, so that files of older versions can
/// be read, and unknown fields of newer versions are ignored.
package struct InstallationState: Sendable, Codable, Equatable {
    /// The session that is open.
    package struct Session: Sendable, Codable, Equatable {
        package var id: UUID
        /// Seconds in the foreground until the last time the app left it.
        package var activeSeconds: Double
        /// When the app came to the foreground; `nil` while it is in the background.
        package var foregroundSince: Date?
        /// When the session was last known to be in use.
        package var lastActive: Date
        /// Who it belongs to.
        package var user: SDKUser

        package init(id: UUID, start: Date, user: SDKUser) {
            self.id = id
            self.user = user
            activeSeconds = 0
            foregroundSince = start
            lastActive = start
        }

        /// Notes every few seconds that the session is in use, so that its length is known even
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
    /// The id of the nameless user.
    package var anonymousID: UUID
    /// The name that the app gave the user.
    package var externalID: String?
    /// The signed tokens of the users whose records may still wait, for SDK authentication.
    package var signatures: [String: String] = [:]
    /// `false` while the SDK is switched off.
    package var isEnabled = true
    /// The push token in use.
    package var pushToken: SDKRecord.PushToken?
    /// The open session.
    package var session: Session?
    /// Interactions with pushes that are recorded already, oldest first.
    package var seenInteractions: [String] = []
    /// The dispatch ids of the last pushes by their numbers, for apps that report by number.
    package var dispatches: [Int64: UUID] = [:]
    /// The standard fields that this installation has set, for reading back.
    package var profileFields: [String: JSONValue] = [:]
    /// How often something was taken over from what an older app version left in UserDefaults.
    package var legacyImportCount = 0

    /// How many interactions are remembered.
    package static let seenInteractionLimit = 400

    package init(deviceID: UUID, anonymousID: UUID) {
        self.deviceID = deviceID
        self.anonymousID = anonymousID
    }

    /// The current user.
    package var user: SDKUser {
        if let externalID { .external(externalID) } else { .anonymous(anonymousID) }
    }

    /// This installation after it has taken over what another process, in the same app, has seen.
    func joined(by other: InstallationState) -> InstallationState {
        var joined = self
        for interaction in other.seenInteractions { _ = joined.noteInteraction(interaction) }
        for (number, dispatch) in other.dispatches { joined.noteDispatch(dispatch, number: number) }
        joined.pushToken = pushToken ?? other.pushToken
        joined.legacyImportCount = max(legacyImportCount, other.legacyImportCount)
        return joined
    }

    /// Remembers which dispatch a push number belongs to.
    package mutating func noteDispatch(_ dispatch: UUID, number: Int64) {
        dispatches[number] = dispatch
        if dispatches.count > 64, let oldest = dispatches.keys.min() { dispatches[oldest] = nil }
    }

    /// Keeps the signed token of `externalID`, or forgets it with `nil`.
    package mutating func setSignature(_ signature: String?, of externalID: String) {
        // Tokens live for hours; those of users who left long ago are worthless.
        if signatures.count > 8, signatures[externalID] == nil { signatures = [:] }
        signatures[externalID] = signature
    }

    /// Notes an interaction; `false` if it was noted before.
    package mutating func noteInteraction(_ key: String) -> Bool {
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
        profileFields =
            try container.decodeIfPresent([String: JSONValue].self, forKey: .profileFields) ?? [:]
        legacyImportCount =
            try container.decodeIfPresent(Int.self, forKey: .legacyImportCount) ?? 0
    }
}
