import Model
import Ports

/// Who has come into a segment, and who has left it, since a journey looked at it last.
struct MembershipChanges: Sendable, Hashable {
    var joined: [ProfileID] = []
    var gone: [ProfileID] = []

    /// Compares both lists, which are in ascending order, page by page.
    static func read(
        _ query: SegmentQuery,
        of journey: RunningJourney,
        _ store: any Store,
        _ audience: any AudienceSource,
        page: Int
    ) async throws -> MembershipChanges {
        var changes = MembershipChanges()
        var known = Pages(page) { cursor in
            try await store.knownMembers(of: journey.id, after: cursor, limit: page)
        }
        var present = Pages(page) { cursor in
            try await audience.profiles(
                in: journey.workspace,
                matching: query,
                after: cursor,
                limit: page
            )
        }
        var old = try await known.next()
        var new = try await present.next()
        while old != nil || new != nil {
            if let new, let old, new == old {
                // Stayed.
            } else if let user = new, old.map({ user < $0 }) ?? true {
                changes.joined.append(user)
                new = try await present.next()
                continue
            } else if let user = old {
                changes.gone.append(user)
                old = try await known.next()
                continue
            }
            old = try await known.next()
            new = try await present.next()
        }
        return changes
    }

    /// A list that is read in pages.
    private struct Pages {
        private let size: Int
        private let read: (ProfileID?) async throws -> [ProfileID]
        private var page: ArraySlice<ProfileID> = []
        private var cursor: ProfileID?
        private var isOver = false

        init(_ size: Int, _ read: @escaping (ProfileID?) async throws -> [ProfileID]) {
            self.size = size
            self.read = read
        }

        mutating func next() async throws -> ProfileID? {
            if page.isEmpty, !isOver {
                page = try await read(cursor)[...]
                isOver = page.count < size
                cursor = page.last ?? cursor
            }
            return page.popFirst()
        }
    }
}
