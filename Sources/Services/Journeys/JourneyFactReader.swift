import Foundation
import Model
import Ports
import Scheduling

/// Looks up what decides how people go on: only what is asked, for everybody at once.
struct JourneyFactReader {
    private let store: any Store
    private let audience: any MembershipSource
    private let workspace: WorkspaceID
    private let now: Date
    private let quietHours: QuietHours?
    private let workspaceZone: TimeZone
    private var zones: [ProfileID: TimeZone] = [:]
    private var members: [SegmentQuery: Set<ProfileID>] = [:]
    private var asked: [SegmentQuery: Set<ProfileID>] = [:]

    init(
        store: any Store,
        audience: any MembershipSource,
        workspace: WorkspaceID,
        now: Date
    ) async throws {
        self.store = store
        self.audience = audience
        self.workspace = workspace
        self.now = now
        quietHours = try await store.limits(of: workspace).quietHours
        workspaceZone = try await store.timeZone(of: workspace)
    }

    /// The results for all items, in their order. An item that lacks a fact is computed anew once
    /// the fact is there.
    ///
    /// - Throws: `AudienceError` if a segment cannot be evaluated.
    mutating func results<Item, Result>(
        _ items: [Item],
        _ profile: (Item) -> ProfileID,
        _ compute: (Item, JourneyFacts) throws(MissingFactError) -> Result
    ) async throws -> [Result] {
        var results = [Result?](repeating: nil, count: items.count)
        var open = Array(items.indices)
        while !open.isEmpty {
            var missing: [MissingFactError: [ProfileID]] = [:]
            var left: [Int] = []
            for index in open {
                let user = profile(items[index])
                do throws(MissingFactError) {
                    results[index] = try compute(items[index], facts(of: user))
                } catch {
                    missing[error, default: []].append(user)
                    left.append(index)
                }
            }
            for (fact, users) in missing { try await lookUp(fact, users) }
            open = left
        }
        return results.compactMap(\.self)
    }

    private func facts(of user: ProfileID) -> JourneyFacts {
        JourneyFacts(now: now, zone: zones[user], quietHours: quietHours) { query in
            guard asked[query]?.contains(user) ?? false else { return nil }
            return members[query]?.contains(user) ?? false
        }
    }

    private mutating func lookUp(_ fact: MissingFactError, _ users: [ProfileID]) async throws {
        let users = Array(Set(users))
        switch fact {
        case .zone:
            let names = try await store.timeZones(of: users)
            for user in users {
                zones[user] = names[user].flatMap { TimeZone(identifier: $0) } ?? workspaceZone
            }
        case .membership(let query):
            let found = try await audience.members(of: users, matching: query, in: workspace)
            members[query, default: []].formUnion(found)
            asked[query, default: []].formUnion(users)
        }
    }
}
