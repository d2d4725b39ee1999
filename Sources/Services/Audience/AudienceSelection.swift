import Ports
import Segments

/// The users whom a segment selects, from one snapshot of the columns.
package struct AudienceSelection: Sendable {
    package let columns: ColumnSnapshot
    package let time: EvaluationTime
    let node: QueryNode
    private let workers: Int

    init(columns: ColumnSnapshot, time: EvaluationTime, node: QueryNode, workers: Int) {
        self.columns = columns
        self.time = time
        self.node = node
        self.workers = workers
    }

    /// Number of selected users and of their devices.
    package func count() async throws -> SelectionCount {
        let partial = try await WorkerPool.map(columns.chunks.count, workers: workers) {
            ChunkEvaluator(columns: columns, node: node)
        } each: { evaluator, index in
            evaluator.withMatches(inChunk: index) { matches in
                let chunk = columns.chunks[index]
                var users = 0
                for word in 0..<chunk.wordCount { users += matches[word].nonzeroBitCount }
                let devices =
                    users == 0
                    ? 0 : chunk.devices.counts.sum(where: matches, words: 0..<chunk.wordCount)
                return SelectionCount(users: users, devices: devices)
            }
        }
        return partial.reduce(into: SelectionCount(users: 0, devices: 0)) { $0.add($1) }
    }

    /// The count with platforms and push reach, for the console.
    package func reach() async throws -> AudienceEstimate {
        let kinds = columns.kinds
        let platforms = Array(Set(kinds.map(\.platform))).sorted()
        let platformOfKind = kinds.map { platforms.firstIndex(of: $0.platform) ?? 0 }
        let isReachable = kinds.map { $0.hasToken && $0.isPushEnabled }
        let partial = try await WorkerPool.map(columns.chunks.count, workers: workers) {
            ChunkEvaluator(columns: columns, node: node)
        } each: { evaluator, index in
            evaluator.withMatches(inChunk: index) { matches in
                let chunk = columns.chunks[index]
                var reach = AudienceEstimate()
                var users = Array(repeating: 0, count: platforms.count)
                var reachable = users
                var lastUser = Array(repeating: -1, count: platforms.count)
                var place = 0
                for row in 0..<chunk.count {
                    let end = place + chunk.devices.count(at: row)
                    defer { place = end }
                    guard matches[row >> 6] >> UInt64(row & 63) & 1 == 1 else { continue }
                    reach.users += 1
                    reach.devices += end - place
                    var isUserReachable = false
                    for device in place..<end {
                        let kind = Int(chunk.devices.kinds.value(at: device) ?? 0)
                        let platform = platformOfKind[kind]
                        if lastUser[platform] != row {
                            lastUser[platform] = row
                            users[platform] += 1
                        }
                        if isReachable[kind] {
                            reach.reachableDevices += 1
                            reachable[platform] += 1
                            isUserReachable = true
                        }
                    }
                    if isUserReachable { reach.reachableUsers += 1 }
                }
                for (platform, count) in zip(platforms, users) where count > 0 {
                    reach.usersByPlatform[platform] = count
                }
                for (platform, count) in zip(platforms, reachable) where count > 0 {
                    reach.reachableDevicesByPlatform[platform] = count
                }
                return reach
            }
        }
        return partial.reduce(into: AudienceEstimate()) { $0.add($1) }
    }

    /// The row ids of all selected users, ascending except for profiles that arrived out of order.
    package func profiles() async throws -> [Int64] {
        try await WorkerPool.map(columns.chunks.count, workers: workers) {
            ChunkEvaluator(columns: columns, node: node)
        } each: { evaluator, index in
            evaluator.withMatches(inChunk: index) { matches in
                let chunk = columns.chunks[index]
                var ids: [Int64] = []
                for row in 0..<chunk.count where matches[row >> 6] >> UInt64(row & 63) & 1 == 1 {
                    ids.append(chunk.ids.id(at: row))
                }
                return ids
            }
        }.flatMap(\.self)
    }

    /// Whether a user is selected; reads only the columns of that user's chunk.
    package func contains(_ profile: Int64) -> Bool {
        guard let (chunk, row) = columns.place(of: profile) else { return false }
        return ChunkEvaluator(columns: columns, node: node).withMatches(inChunk: chunk) {
            $0[row >> 6] >> UInt64(row & 63) & 1 == 1
        }
    }

    /// The row ids of the next selected users in ascending order.
    package func profiles(after cursor: Int64?, limit: Int) -> [Int64] {
        if columns.hasLateProfiles {
            // Rows are not in the order of ids, so every row is examined.
            let evaluator = ChunkEvaluator(columns: columns, node: node)
            let all = columns.chunks.indices.flatMap { chunk in
                evaluator.withMatches(inChunk: chunk) { matches in
                    (0..<columns.chunks[chunk].count).compactMap { row -> Int64? in
                        guard matches[row >> 6] >> UInt64(row & 63) & 1 == 1 else { return nil }
                        let id = columns.chunks[chunk].ids.id(at: row)
                        return id > cursor ?? .min ? id : nil
                    }
                }
            }
            return Array(all.sorted().prefix(limit))
        }
        var stream = stream(after: cursor, batchSize: limit)
        return stream.next() ?? []
    }

    /// The largest row id of all users, selected or not; `nil` without any.
    package var lastProfile: Int64? { columns.chunks.map(\.ids.last).max() }

    /// The selected users who have not unsubscribed from pushes.
    package func subscribed() async throws -> AudienceSelection {
        let unsubscribed = try await columns.select(
            .condition(
                .attribute(.standard(.pushSubscription), .equal(.string("unsubscribed")))
            ),
            at: time,
            workers: workers
        )
        return AudienceSelection(
            columns: columns,
            time: time,
            node: .all([node, .not(unsubscribed.node)]),
            workers: workers
        )
    }

    /// The row ids of the selected users in batches.
    ///
    /// - Parameter after: The last id of the last processed batch; `nil` to begin.
    package func stream(after cursor: Int64? = nil, batchSize: Int = 1_000) -> AudienceStream {
        AudienceStream(selection: self, after: cursor, batchSize: batchSize)
    }
}

/// Number of selected users and of their devices.
package struct SelectionCount: Sendable, Hashable {
    package var users: Int
    package var devices: Int

    package init(users: Int = 0, devices: Int = 0) {
        self.users = users
        self.devices = devices
    }

    mutating func add(_ other: SelectionCount) {
        users += other.users
        devices += other.devices
    }
}

/// The selected users by the means to reach them.
package struct AudienceEstimate: Sendable, Hashable {
    package var users = 0
    package var devices = 0
    /// Users with at least one device of the platform.
    package var usersByPlatform: [String: Int] = [:]
    /// Users with at least one device that has a token and allows visible notifications.
    package var reachableUsers = 0
    package var reachableDevices = 0
    package var reachableDevicesByPlatform: [String: Int] = [:]

    mutating func add(_ other: AudienceEstimate) {
        users += other.users
        devices += other.devices
        reachableUsers += other.reachableUsers
        reachableDevices += other.reachableDevices
        usersByPlatform.merge(other.usersByPlatform, uniquingKeysWith: +)
        reachableDevicesByPlatform.merge(
            other.reachableDevicesByPlatform,
            uniquingKeysWith: +
        )
    }
}

extension ColumnSnapshot {
    /// Prepares a segment for this snapshot.
    ///
    /// - Parameters:
    ///   - source: Provides data that columns do not have: event properties and row-only
    ///     attributes.
    ///   - workers: Number of processors to use.
    package func select(
        _ rule: SegmentRule,
        at time: EvaluationTime,
        directory: any SegmentResolver = InMemorySegmentResolver(),
        source: (any UserRowReader)? = nil,
        workers: Int = 2
    ) async throws -> AudienceSelection {
        try AudiencePlanner.checkSize(of: rule, directory)
        let planner = AudiencePlanner(
            columns: self,
            time: time,
            directory: directory,
            source: source,
            workers: workers
        )
        return AudienceSelection(
            columns: self,
            time: time,
            node: try await planner.node(for: rule),
            workers: workers
        )
    }
}
