import Segments

/// A snapshot of the rows from which the columns are built, such as one read transaction.
package protocol UserRowReader: Sendable {
    /// The last commit that this snapshot contains.
    var sequence: Int64 { get }

    /// Number of profiles, for progress; may be an estimate.
    func profileCount() async throws -> Int

    /// Number of occurrences, for progress; may be an estimate.
    func eventCount() async throws -> Int

    /// Delivers all profiles in ascending order of their row ids.
    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws

    /// Delivers all profiles by attribute, which is faster.
    ///
    /// - Parameter skipped: Attributes that may be left out.
    func scanBatches(
        skipping skipped: Set<StandardAttribute>,
        _ receive: (AudienceProfileBatch) throws -> Void
    ) async throws

    /// Delivers at least the occurrences that the query asks for.
    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws

    /// Delivers the user and the time of every occurrence except purchases, which have more data.
    /// Fastest if the occurrences of an activity arrive in chronological order.
    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws

    func keptSince() async throws -> KeptSince

    /// Delivers the sums of the occurrences whose rows were removed.
    func scanRemoved(_ receive: (Activity, [RemovedOccurrences]) throws -> Void) async throws

    /// The uploaded lists with the row ids of their users.
    func scanLists(_ receive: (_ id: String, _ profiles: [Int64]) throws -> Void) async throws
}

extension UserRowReader {
    package func keptSince() async throws -> KeptSince { KeptSince() }

    package func scanRemoved(
        _ receive: (Activity, [RemovedOccurrences]) throws -> Void
    ) async throws {}

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

/// Occurrences of one activity with nothing but user and time, for loading many.
package struct ActivityBatch: Sendable {
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

/// The occurrences that a scan asks for.
package struct AudienceEventQuery: Sendable, Hashable {
    /// `nil` means every activity.
    package var subject: ActivityCondition.Subject?
    package var from: Int64?
    package var until: Int64?
    /// Whether properties are needed; omitting them avoids reading them.
    package var needsProperties: Bool
    /// Whether occurrences that are only summed up are delivered as sums; otherwise they are not
    /// delivered.
    package var includesSums: Bool

    package init(
        subject: ActivityCondition.Subject? = nil,
        from: Int64? = nil,
        until: Int64? = nil,
        needsProperties: Bool = false,
        includesSums: Bool = false
    ) {
        self.subject = subject
        self.from = from
        self.until = until
        self.needsProperties = needsProperties
        self.includesSums = includesSums
    }
}
