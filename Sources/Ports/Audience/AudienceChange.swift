import Segments

/// The changes of some commits, as rows.
package struct AudienceChange: Sendable {
    /// The commit's number; commits are applied in ascending order, each once.
    package var sequence: Int64
    /// Profiles merged into others: their occurrences move to the second profile, which was added
    /// before or with this commit.
    package var merged: [(from: Int64, into: Int64)]
    /// New and changed profiles as of the commit, each complete.
    package var profiles: [AudienceProfile]
    /// Deleted profiles.
    package var removed: [Int64]
    /// New occurrences, of profiles added before or with this commit.
    package var events: [AudienceEvent]
    /// Uploaded lists as of the commit, by id; `nil` for deleted ones.
    package var lists: [String: [Int64]?]
    /// What is only summed up from this commit on.
    package var keptSince: KeptSince

    package init(
        sequence: Int64,
        merged: [(from: Int64, into: Int64)] = [],
        profiles: [AudienceProfile] = [],
        removed: [Int64] = [],
        events: [AudienceEvent] = [],
        lists: [String: [Int64]?] = [:],
        keptSince: KeptSince = KeptSince()
    ) {
        self.sequence = sequence
        self.merged = merged
        self.profiles = profiles
        self.removed = removed
        self.events = events
        self.lists = lists
        self.keptSince = keptSince
    }
}
