import Campaigns
import Foundation
import InAppMessages
import Model
import NoroshiWire
import Ports

/// Somebody in a rehearsal.
struct RehearsedUser: Sendable {
    /// The `external_id`, or the `braze_id` of somebody without a name.
    let name: String
    let externalID: String?
    let profile: ProfileID

    init(_ profile: Profile) {
        name = RehearsalLog.name(of: profile)
        externalID = profile.externalID
        self.profile = profile.id
    }
}

/// Something that happens in an app in a rehearsal, for which its phone may show a message.
struct RehearsedOccurrence: Sendable {
    let user: RehearsedUser
    let device: Device
    let time: Date
    let what: InAppMessageSelector.Occurrence
}

/// The phones of a rehearsal, as far as in-app messages go: each has those that it was given at the start of
/// its session, and selects as the SDK does.
struct RehearsedPhones {
    private struct Phone {
        var selector = InAppMessageSelector()
    }

    /// Seconds between two messages, unless an app says otherwise.
    private static let gap: TimeInterval = 30

    private let workspace: WorkspaceID
    private let store: any Store
    private let service: InAppMessageService
    private let log: RehearsalLog
    private var apps: [AppID: App] = [:]
    /// The workspace's control group, whose phones only report what they would have shown.
    private var withheld: ControlGroup?
    private var phones: [UUID: Phone] = [:]
    private var definitions: [String: InAppMessageDefinition] = [:]
    private(set) var shown = 0

    init(
        _ store: any Store,
        of workspace: WorkspaceID,
        _ service: InAppMessageService,
        _ log: RehearsalLog
    ) {
        self.store = store
        self.workspace = workspace
        self.service = service
        self.log = log
    }

    /// Shows messages for what has happened since the last time, and tells what the phones report of that.
    ///
    /// - Parameter occurrences: In the order of time.
    mutating func show(
        _ occurrences: [RehearsedOccurrence],
        at now: Date
    ) async throws -> [IngestRequest] {
        guard !occurrences.isEmpty else { return [] }
        let active = try await service.active(in: workspace)
        guard !active.isEmpty else { return [] }
        if apps.isEmpty {
            let all = try await store.apps(in: workspace)
            apps = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
        try await begin(occurrences.filter { $0.what == .sessionStart }, active, at: now)
        var reports: [IngestRequest] = []
        for occurrence in occurrences {
            if let report = try await show(occurrence) { reports.append(report) }
        }
        return reports
    }

    /// Gives phones on which a session begins what they may show.
    private mutating func begin(
        _ starts: [RehearsedOccurrence],
        _ active: [InAppMessageDefinition],
        at now: Date
    ) async throws {
        guard !starts.isEmpty else { return }
        var given: [UUID: [InAppMessage]] = [:]
        let reserved = try await store.journeyMessages(in: workspace, for: nil, now: now).reserved
        withheld = try await store.limits(of: workspace).controlGroup
        var granted: [ProfileID: Set<UUID>] = [:]
        if !reserved.isEmpty {
            for profile in Set(starts.map(\.user.profile)) {
                let found = try await store.journeyMessages(in: workspace, for: profile, now: now)
                granted[profile] = Set(found.granted.keys)
            }
        }
        for stored in active {
            let id = stored.id.uuidString.lowercased()
            definitions[id] = stored
            var message = stored.message
            message.id = id
            // Whoever has seen it often enough needs not be looked for.
            let asking = starts.filter { start in
                let isOpen =
                    !reserved.contains(stored.id)
                    || granted[start.user.profile]?.contains(stored.id) == true
                return isOpen && !isUsedUp(message, on: start.device.installation)
            }
            let viewers = try await service.viewers(of: stored, among: asking.map(\.user.profile))
            for start in asking where viewers.contains(start.user.profile) {
                given[start.device.installation, default: []].append(message)
            }
        }
        for start in starts {
            let installation = start.device.installation
            phones[installation, default: Phone()].selector
                .replace(with: given[installation] ?? [])
        }
    }

    private func isUsedUp(_ message: InAppMessage, on installation: UUID) -> Bool {
        guard let limit = message.rules.impressionLimit else { return false }
        return (phones[installation]?.selector.showings[message.id]?.count ?? 0) >= limit
    }

    private mutating func show(_ occurrence: RehearsedOccurrence) async throws -> IngestRequest? {
        let installation = occurrence.device.installation
        guard var phone = phones[installation] else { return nil }
        defer { phones[installation] = phone }
        let asked = phone.selector.messages.filter { message in
            message.rules.triggers.contains {
                InAppMessageSelector.matches($0, occurrence.what)
            }
        }
        guard !asked.isEmpty else { return nil }
        var chosen: InAppMessage?
        // What the templates leave out was never given to the phone.
        while let candidate = phone.selector.message(
            for: occurrence.what,
            at: occurrence.time,
            gap: Self.gap
        ) {
            chosen = try await rendered(candidate, for: occurrence)
            if chosen != nil { break }
            phone.selector.messages.removeAll { $0.id == candidate.id }
            note(candidate, occurrence, .skipped, .notRendered)
        }
        for message in asked where message.id != chosen?.id {
            let time = occurrence.time.addingTimeInterval(message.rules.delaySeconds)
            guard phone.selector.messages.contains(message),
                phone.selector.isAllowed(message, at: time)
            else { continue }
            note(message, occurrence, .skipped, chosen == nil ? .messageGap : .anotherMessage)
        }
        guard let chosen else { return nil }
        phone.selector.noteShowing(
            chosen,
            at: occurrence.time.addingTimeInterval(chosen.rules.delaySeconds)
        )
        let isControl = chosen.kind == .control
        note(chosen, occurrence, isControl ? .control : .sent)
        if !isControl { shown += 1 }
        return report(chosen, occurrence)
    }

    private func rendered(
        _ message: InAppMessage,
        for occurrence: RehearsedOccurrence
    ) async throws -> InAppMessage? {
        guard let stored = definitions[message.id], let app = apps[occurrence.device.app],
            let profile = try await store.profile(occurrence.user.profile)
        else { return nil }
        let granted = try await store.journeyMessages(
            in: workspace,
            for: profile.id,
            now: occurrence.time
        ).granted
        return try await service.message(
            stored,
            for: profile,
            on: occurrence.device.installation,
            of: app,
            isWithheld: withheld?.contains(profile.id) == true,
            granted[stored.id] ?? MessageProperties()
        )
    }

    private func note(
        _ message: InAppMessage,
        _ occurrence: RehearsedOccurrence,
        _ outcome: RehearsalRow.Outcome,
        _ reason: UnshownReason? = nil
    ) {
        guard let stored = definitions[message.id] else { return }
        log.note(message, of: stored, occurrence, outcome, reason?.rawValue ?? "")
    }

    private func report(
        _ message: InAppMessage,
        _ occurrence: RehearsedOccurrence
    ) -> IngestRequest {
        let seen = SDKRecord.InAppMessageInteraction(
            kind: .impression,
            message: message.id,
            variant: message.variant
        )
        return RehearsedDevice.request(
            from: occurrence.device,
            of: occurrence.user.externalID,
            in: workspace,
            [.inAppMessage(seen)],
            at: occurrence.time.addingTimeInterval(message.rules.delaySeconds)
        )
    }
}

/// What a device reports.
enum RehearsedDevice {
    /// - Parameter user: The `external_id`; `nil` for a user without a name.
    static func request(
        from device: Device,
        of user: String?,
        in workspace: WorkspaceID,
        _ contents: [IngestItem.Content],
        at time: Date
    ) -> IngestRequest {
        let reference: UserReference =
            user.map(UserReference.external) ?? .anonymous(device.installation)
        return IngestRequest(
            workspace: workspace,
            source: .device(
                SDKDevice(
                    id: device.installation,
                    platform: device.platform,
                    model: device.model,
                    osVersion: device.osVersion,
                    appVersion: device.appVersion,
                    sdkVersion: device.sdkVersion,
                    locale: device.locale,
                    timeZone: device.timeZone
                ),
                app: device.app
            ),
            items: contents.map {
                IngestItem(recordID: nil, user: reference, time: time, content: $0)
            }
        )
    }
}
