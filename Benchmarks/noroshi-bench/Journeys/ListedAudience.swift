import Model
import Ports
import Synchronization

/// Segments that are lists, by the text of their filter.
final class ListedAudience: AudienceSource, MembershipSource {
    private let lists = Mutex<[String: Set<ProfileID>]>([:])
    /// The list as an array in ascending order, for the largest ones.
    private let everybody = Mutex<[ProfileID]>([])

    func change(_ name: String, _ user: ProfileID, joins: Bool) {
        lists.withLock { lists in
            if joins {
                lists[name, default: []].insert(user)
            } else {
                lists[name]?.remove(user)
            }
        }
    }

    func setEverybody(_ users: [ProfileID]) { everybody.withLock { $0 = users } }

    func profiles(
        in workspace: WorkspaceID,
        matching query: SegmentQuery,
        at moment: AudienceMoment,
        after cursor: ProfileID?,
        limit: Int
    ) async throws -> [ProfileID] {
        everybody.withLock { users in
            // A binary search for the first one after the cursor.
            var low = 0
            var high = users.count
            while low < high {
                let middle = (low + high) / 2
                if let cursor, users[middle] <= cursor { low = middle + 1 } else { high = middle }
            }
            return Array(users[low..<min(users.count, low + limit)])
        }
    }

    func count(
        in workspace: WorkspaceID,
        matching query: SegmentQuery
    ) async throws -> AudienceCount {
        let users = everybody.withLock(\.count)
        return AudienceCount(users: users, reachable: users)
    }

    func members(
        of profiles: [ProfileID],
        matching query: SegmentQuery,
        in workspace: WorkspaceID
    ) async throws -> [ProfileID] {
        let list = lists.withLock { $0[query.filter ?? ""] ?? [] }
        return profiles.filter(list.contains)
    }
}
