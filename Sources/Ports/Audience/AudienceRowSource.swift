import Segments

/// A consistent view of the rows the columns are made from, such as one read transaction.
package protocol AudienceRowSource: Sendable {
    /// The last commit this view shows.
    var sequence: Int64 { get }

    /// How many profiles there are, for progress; an estimate will do.
    func profileCount() async throws -> Int

    /// How many occurrences there are, for progress; an estimate will do.
    func eventCount() async throws -> Int

    /// Hands over all profiles in ascending order of their row ids.
    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws

    /// The same by attribute, which is quicker for all of them.
    ///
    /// - Parameter skipped: Attributes that may be left out.
    func scanBatches(
        skipping skipped: Set<StandardAttribute>,
        _ receive: (AudienceProfileBatch) throws -> Void
    ) async throws

    /// Hands over the occurrences the query asks for, or more.
    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws

    /// Hands over who did what and when, of everything but purchases, which have more to them.
    /// Quickest when the occurrences of one activity come in order of time.
    func scanOccurrences(_ receive: (AudienceOccurrences) throws -> Void) async throws

    /// The uploaded lists with the row ids of their users.
    func scanLists(_ receive: (_ id: String, _ profiles: [Int64]) throws -> Void) async throws
}

extension AudienceRowSource {
    package func scanBatches(
        skipping skipped: Set<StandardAttribute>,
        _ receive: (AudienceProfileBatch) throws -> Void
    ) async throws {
        try await scanProfiles { profiles in
            var rest = profiles[...]
            while !rest.isEmpty {
                var batch = AudienceProfileBatch()
                for profile in rest.prefix(AudienceProfileBatch.capacity) {
                    batch.append(profile, skipping: skipped)
                }
                rest = rest.dropFirst(AudienceProfileBatch.capacity)
                try receive(batch)
            }
        }
    }
}

/// Occurrences of one activity without anything else, for loading many.
package struct AudienceOccurrences: Sendable {
    package var activity: Activity
    package var profiles: [Int64]
    /// Unix seconds, one for each profile.
    package var times: [Int64]

    package init(activity: Activity, profiles: [Int64] = [], times: [Int64] = []) {
        self.activity = activity
        self.profiles = profiles
        self.times = times
    }

    package mutating func append(profile: Int64, time: Int64) {
        profiles.append(profile)
        times.append(time)
    }
}

/// Which occurrences a scan asks for.
package struct AudienceEventQuery: Sendable, Hashable {
    /// `nil` for every activity.
    package var subject: ActivityCondition.Subject?
    package var from: Int64?
    package var until: Int64?
    /// Whether properties are needed; leaving them out saves reading them.
    package var needsProperties: Bool

    package init(
        subject: ActivityCondition.Subject? = nil,
        from: Int64? = nil,
        until: Int64? = nil,
        needsProperties: Bool = false
    ) {
        self.subject = subject
        self.from = from
        self.until = until
        self.needsProperties = needsProperties
    }
}
