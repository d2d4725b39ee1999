import Segments

/// What some commits changed, in terms of rows.
package struct AudienceChange: Sendable {
    /// The commit's number; commits are applied in ascending order, each once.
    package var sequence: Int64
    /// Profiles merged away: their occurrences go to the second profile, which
    /// is known before or with this commit.
    package var merged: [(from: Int64, into: Int64)]
    /// Profiles as they are after the commit, new ones and changed ones, each complete.
    package var profiles: [AudienceProfile]
    /// Profiles that are gone.
    package var removed: [Int64]
    /// New occurrences, of profiles known before or with this commit.
    package var events: [AudienceEvent]
    /// Uploaded lists as they are after the commit, by id; `nil` for removed ones.
    package var lists: [String: [Int64]?]

    package init(
        sequence: Int64,
        merged: [(from: Int64, into: Int64)] = [],
        profiles: [AudienceProfile] = [],
        removed: [Int64] = [],
        events: [AudienceEvent] = [],
        lists: [String: [Int64]?] = [:]
    ) {
        self.sequence = sequence
        self.merged = merged
        self.profiles = profiles
        self.removed = removed
        self.events = events
        self.lists = lists
    }
}
