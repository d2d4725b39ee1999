import Analytics
import Foundation
import Model
import NoroshiWire
import Ports

/// Finds users and returns their data.
package struct UserDirectory: Sendable {
    package typealias Source = ProfileStore & IdentityStore & EngagementStore & AccountStore
        & UserRowStore & UserHistoryStore

    /// Maximum length of a timeline.
    private static let maxTimelineLength = 1000

    private let store: any Source
    private let figures: ReportCache

    package init(store: any Source, figures: ReportCache) {
        self.store = store
        self.figures = figures
    }

    /// One page of users.
    package struct List: Sendable {
        package var users: [UserSummary]
        /// The total number on all pages; `nil` if counting takes too long.
        package var total: Int?
        package var hasMore: Bool
    }

    /// The users whose external id, name, e-mail address or phone number begins with a text,
    /// preceded by those who have the whole text as any identifier, including alias, installation
    /// and push token. All users for an empty text.
    package func users(
        matching text: String,
        _ page: ListPage,
        in workspace: WorkspaceID
    ) async throws -> List {
        // One more user than a page shows tells whether there is a next page, without counting all.
        var found = try await store.profiles(
            matching: text,
            in: workspace,
            limit: page.size + 1,
            offset: page.offset
        )
        if !text.isEmpty, page.isFirst {
            let named = try await store.profiles(
                identifiedBy: text,
                in: workspace,
                limit: page.size
            )
            let ids = Set(named.map(\.id))
            found = named + found.filter { !ids.contains($0.id) }
        }
        var users: [UserSummary] = []
        for profile in found.prefix(page.size) { users.append(try await summary(of: profile)) }
        return List(
            users: users,
            total: text.isEmpty
                ? try await figures.value(of: .workspace(workspace), "users") {
                    try await store.userCounts(in: workspace)
                }.users : nil,
            hasMore: found.count > page.size
        )
    }

    /// The user with an identifier of any kind; the most recently changed one of several.
    package func user(
        identifiedBy text: String,
        in workspace: WorkspaceID
    ) async throws -> (summary: UserSummary, isOnlyOne: Bool)? {
        let found = try await store.profiles(identifiedBy: text, in: workspace, limit: 2)
        guard let first = found.first else { return nil }
        return (try await summary(of: first), found.count == 1)
    }

    /// All rows of a user, by kind; nothing is left out or summed up.
    package func rows(of user: ProfileID) async throws -> [String: [JSONValue]] {
        try await store.rows(of: user)
    }

    /// The users among these who still exist.
    package func users(_ ids: [ProfileID]) async throws -> [UserSummary] {
        var users: [UserSummary] = []
        for id in ids {
            guard let profile = try await store.profile(id) else { continue }
            users.append(try await summary(of: profile))
        }
        return users
    }

    package func summary(of profile: Profile) async throws -> UserSummary {
        UserSummary(profile: profile, devices: try await store.devices(of: profile.id))
    }

    /// A user of the workspace.
    package func user(_ id: ProfileID, in workspace: WorkspaceID) async throws -> UserDetail? {
        guard let profile = try await profile(id, in: workspace) else { return nil }
        // Activity is in the timeline.
        let record = try await store.record(of: id, since: .distantFuture)
        let apps = try await store.apps(in: workspace)
        return UserDetail(
            summary: try await summary(of: profile),
            aliases: record.aliases,
            apps: Dictionary(apps.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// What a user of the workspace got and did so far.
    package func figures(
        of id: ProfileID,
        in workspace: WorkspaceID
    ) async throws -> UserFigures? {
        guard try await profile(id, in: workspace) != nil else { return nil }
        return try await store.figures(of: id)
    }

    /// The timeline of a user, newest first; `before` continues an earlier page.
    ///
    /// - Parameter topic: What is left of it; `nil` means everything.
    package func timeline(
        of id: ProfileID,
        topic: TimelineEntry.Topic? = nil,
        before: Date?,
        limit: Int,
        in workspace: WorkspaceID
    ) async throws -> [TimelineEntry] {
        guard try await profile(id, in: workspace) != nil else { return [] }
        let events = try await store.events(
            of: id,
            limit: before == nil && topic == nil ? limit : Self.maxTimelineLength
        )
        let wanted = events.filter { event in before.map { event.time < $0 } ?? true }
            .map(TimelineEntry.init).filter { topic == nil || $0.topic == topic }
        let contacts = try await store.contacts(
            of: id,
            before: before,
            limit: topic == nil ? limit : Self.maxTimelineLength
        ).map(TimelineEntry.init).filter { topic == nil || $0.topic == topic }
        let entries = wanted.prefix(limit) + contacts.prefix(limit)
        return Array(entries.sorted { $0.time > $1.time }.prefix(limit))
    }

    private func profile(_ id: ProfileID, in workspace: WorkspaceID) async throws -> Profile? {
        let profile = try await store.profile(id)
        return profile?.workspace == workspace ? profile : nil
    }
}
