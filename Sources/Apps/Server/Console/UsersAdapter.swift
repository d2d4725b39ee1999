import Analytics
import Console
import Foundation
import Model
import NoroshiWire
import Ports

/// Answers the console's questions about users from the store.
struct UsersAdapter: UserPages {
    /// How far back a timeline can be followed on the page.
    private static let longestTimeline = 1000

    let store: any Store
    let figures: FigureCache

    func users(_ query: UserQuery, for member: ConsoleMember) async throws -> UserList {
        let workspace = WorkspaceID(member.workspaceID)
        // One more than a page shows tells whether there is a next page, without counting all.
        var found = try await store.profiles(
            matching: query.text,
            in: workspace,
            limit: query.page.size + 1,
            offset: query.page.offset
        )
        if !query.text.isEmpty, query.page.isFirst {
            // Whom an identifier names comes before those whose name begins with it.
            let named = try await store.profiles(
                identifiedBy: query.text,
                in: workspace,
                limit: query.page.size
            )
            let ids = Set(named.map(\.id))
            found = named + found.filter { !ids.contains($0.id) }
        }
        var rows: [UserRow] = []
        for profile in found.prefix(query.page.size) {
            rows.append(row(profile, devices: try await store.devices(of: profile.id)))
        }
        return UserList(
            rows: rows,
            total: query.text.isEmpty
                ? try await figures.value(of: .workspace(workspace), "users") {
                    try await store.userCounts(in: workspace)
                }.users : nil,
            hasMore: found.count > query.page.size
        )
    }

    func user(id: Int64, for member: ConsoleMember) async throws -> UserProfile? {
        guard let profile = try await ownProfile(id, member) else { return nil }
        let devices = try await store.devices(of: profile.id)
        // What they did is in the timeline.
        let record = try await store.record(of: profile.id, since: .distantFuture)
        let apps = try await store.apps(in: profile.workspace)
        return UserProfile(
            row: row(profile, devices: devices),
            aliases: [
                AttributeValue(
                    name: "braze_id",
                    value: profile.publicID.uuidString.lowercased()
                )
            ] + record.aliases.map { AttributeValue(name: $0.label, value: $0.name) },
            standardAttributes: profile.standard
                .map { AttributeValue(name: $0.key.rawValue, value: Self.text($0.value)) }
                .sorted { $0.name < $1.name },
            customAttributes: profile.custom
                .map { AttributeValue(name: $0.key, value: Self.text($0.value)) }
                .sorted { $0.name < $1.name },
            devices: devices.map { device in
                let app = apps.first { $0.id == device.app }
                return UserDevice(
                    model: device.model ?? device.platform,
                    system: [device.platform, device.osVersion ?? ""]
                        .filter { !$0.isEmpty }.joined(separator: " "),
                    app: app?.name ?? "",
                    appVersion: device.appVersion ?? "",
                    push: DevicePush(device.push),
                    isUnproved: app?.authentication.mode == .required
                        && !device.isProved(for: profile),
                    lastSeenAt: device.updatedAt
                )
            }
        )
    }

    func timeline(
        ofUser id: Int64,
        before: Date?,
        limit: Int,
        for member: ConsoleMember
    ) async throws -> [TimelineEntry] {
        guard let profile = try await ownProfile(id, member) else { return [] }
        let events = try await store.events(
            of: profile.id,
            limit: before == nil ? limit : Self.longestTimeline
        )
        let wanted = events.filter { event in before.map { event.time < $0 } ?? true }
        let contacts = try await store.contacts(of: profile.id, before: before, limit: limit)
        let entries =
            wanted.prefix(limit).map(TimelineEntry.init) + contacts.map(TimelineEntry.init)
        return Array(entries.sorted { $0.at > $1.at }.prefix(limit))
    }

    /// A profile of the member's own workspace.
    private func ownProfile(_ id: Int64, _ member: ConsoleMember) async throws -> Profile? {
        let profile = try await store.profile(ProfileID(id))
        return profile?.workspace == WorkspaceID(member.workspaceID) ? profile : nil
    }

    func row(_ profile: Profile, devices: [Device]) -> UserRow {
        UserRow(
            id: profile.id.rawValue,
            externalID: profile.externalID,
            name: [StandardAttribute.firstName, .lastName]
                .compactMap { profile.standard[$0]?.stringValue }.joined(separator: " "),
            email: profile.standard[.email]?.stringValue ?? "",
            devices: devices.count,
            reachableDevices: profile.pushSubscription == .unsubscribed
                ? 0 : devices.count { DevicePush($0.push) == .reachable },
            createdAt: profile.createdAt,
            lastSeenAt: profile.lastSessionAt
        )
    }

    /// A text as it is, anything else as JSON.
    fileprivate static func text(_ value: JSONValue) -> String {
        if let text = value.stringValue { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension DevicePush {
    init(_ push: PushRegistration?) {
        switch push?.authorization {
        case nil: self = .unreachable
        case .authorized, .provisional, .ephemeral: self = .reachable
        case .denied, .notDetermined: self = .silentOnly
        }
    }
}

extension TimelineEntry {
    fileprivate init(_ event: StoredEvent) {
        let detail = event.properties.isEmpty ? "" : UsersAdapter.text(.object(event.properties))
        switch event.name {
        case "$session_start", "$session_end":
            self.init(at: event.time, kind: .session, name: "", detail: detail)
        case "$purchase":
            let product = event.properties["product_id"]?.stringValue ?? ""
            self.init(at: event.time, kind: .purchase, name: product, detail: detail)
        default:
            self.init(at: event.time, kind: .event, name: event.name, detail: detail)
        }
    }
}

extension TimelineEntry {
    fileprivate init(_ contact: StoredContact) {
        let kind: Kind
        var detail = ""
        switch contact.kind {
        case .accepted: kind = .pushDelivered
        case .failed(let reason): (kind, detail) = (.pushFailed, reason)
        case .received: kind = .pushReceived
        case .opened: kind = .pushOpened
        case .dismissed: kind = .pushDismissed
        case .action(let action): (kind, detail) = (.pushOpened, action)
        case .inAppShown: kind = .inAppShown
        case .inAppClicked(let button): (kind, detail) = (.inAppClicked, button ?? "")
        case .inAppDismissed: kind = .inAppDismissed
        }
        self.init(
            at: contact.time,
            kind: kind,
            name: contact.name,
            detail: detail,
            pushNumber: contact.send?.rawValue
        )
    }
}
