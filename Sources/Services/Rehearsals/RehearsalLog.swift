import Crypto
import Delivery
import Foundation
import Model
import NoroshiWire
import Ports
import Scheduling
import Synchronization

/// Notes who gets what in a rehearsal, and who does not. What other workspaces of the copy do is played and
/// not noted.
final class RehearsalLog: Sendable {
    struct Person: Sendable {
        var name: String
        var language: String
    }

    private struct Message: Sendable {
        var source: RehearsalSource
        /// Names of variants by number.
        var variants: [Int: String]
        /// What was written, with its templates.
        var text: String
    }

    private struct State {
        var people: [ProfileID: Person] = [:]
        var messages: [SendID: Message] = [:]
        /// What was last launched of each campaign: most of them are launched again and again.
        var launched: [CampaignID: (content: CampaignContent, message: Message)] = [:]
        var days: [CalendarDay: [RehearsalSource: RehearsalResult.Day]] = [:]
        var problems: [RehearsalResult.Problem] = []
        /// The last moment that something was noted at, and its day; a moment has many rows.
        var today: (moment: Date, day: CalendarDay)?
    }

    private let state: Mutex<State>
    private let clock: RehearsalClock
    private let workspace: WorkspaceID
    private let zone: TimeZone
    private let rows: RehearsalRows?

    /// - Parameters:
    ///   - people: Those who are known already.
    ///   - rows: Gets every row; `nil` where nobody reads them.
    init(
        _ clock: RehearsalClock,
        of workspace: WorkspaceID,
        zone: TimeZone,
        people: [ProfileID: Person] = [:],
        rows: RehearsalRows?
    ) {
        state = Mutex(State(people: people))
        self.clock = clock
        self.workspace = workspace
        self.zone = zone
        self.rows = rows
    }

    func add(_ people: [ProfileID: Person]) {
        state.withLock { $0.people.merge(people) { $1 } }
    }

    func people() -> [ProfileID: Person] { state.withLock(\.people) }

    func days() -> [CalendarDay: [RehearsalSource: RehearsalResult.Day]] { state.withLock(\.days) }

    func problems() -> [RehearsalResult.Problem] { state.withLock(\.problems) }

    /// A send whose audience cannot be evaluated, which the server stops.
    func cannotPlan(_ send: Send, _ problem: AudienceError) {
        guard send.workspace == workspace else { return }
        state.withLock { state in
            let source = Self.message(of: send, &state).source
            state.problems.append(RehearsalResult.Problem(source: source, error: problem))
        }
    }

    /// Somebody whom the rules of a launch were asked about.
    func note(_ send: Send, _ profile: ProfileID, _ decision: RecipientDecision) {
        guard send.workspace == workspace else { return }
        switch decision {
        case .message: return
        case .control: note(send, profile, .control, "")
        case .withheld:
            note(send, profile, .leftOut, ExclusionReason.workspaceControlGroup.rawValue)
        case .excluded(let reason): note(send, profile, .leftOut, reason.rawValue)
        }
    }

    private func note(
        _ send: Send,
        _ profile: ProfileID,
        _ outcome: RehearsalRow.Outcome,
        _ reason: String
    ) {
        state.withLock { state in
            let message = Self.message(of: send, &state)
            let person = state.people[profile]
            var row = RehearsalRow(
                time: clock.now,
                source: message.source,
                user: person?.name ?? "\(profile)",
                outcome: outcome
            )
            row.reason = reason
            row.language = person?.language ?? ""
            add(row, message, &state)
        }
    }

    func knows(_ send: SendID) -> Bool { state.withLock { $0.messages[send] != nil } }

    func learn(_ send: Send) { state.withLock { _ = Self.message(of: send, &$0) } }

    /// A message to a device whose outcome is certain; others are tried again.
    ///
    /// - Returns: Who sent it; `nil` if nothing was sent.
    func note(_ delivery: DeliveryRound.Delivery) -> RehearsalSource? {
        let outcome: RehearsalRow.Outcome
        var why = ""
        switch delivery.change {
        case .accepted: outcome = .sent
        case .rejected(let reason, _), .unknown(let reason): (outcome, why) = (.refused, reason)
        case .skipped(let reason): (outcome, why) = (.skipped, reason)
        case .retry, .postponed: return nil
        }
        let dispatch = delivery.dispatch
        guard dispatch.workspace == workspace else { return nil }
        return state.withLock { state in
            guard let message = state.messages[dispatch.send] else { return nil }
            let profile = dispatch.profile
            var row = RehearsalRow(
                time: clock.now,
                source: message.source,
                user: Self.name(of: profile),
                outcome: outcome
            )
            row.reason = why
            row.platform = MessagePlatform(device: dispatch.device.platform).rawValue
            row.language = Self.language(of: profile, dispatch.device.locale)
            row.variant = dispatch.variant.flatMap { message.variants[$0] } ?? ""
            if let push = delivery.push?.message {
                row.title = push.title
                row.body = push.body
                row.rest = Self.rest(of: push)
            }
            add(row, message, &state)
            return outcome == .sent ? message.source : nil
        }
    }

    /// An in-app message for which something has happened on a phone.
    func note(
        _ message: InAppMessage,
        of stored: InAppMessageDefinition,
        _ occurrence: RehearsedOccurrence,
        _ outcome: RehearsalRow.Outcome,
        _ reason: String
    ) {
        let source = RehearsalSource(kind: .inApp, name: stored.name)
        let variants = stored.variants.map { $0.variant ?? "" }
        let noted = Message(
            source: source,
            variants: Dictionary(uniqueKeysWithValues: variants.enumerated().map { ($0, $1) }),
            text: Self.digest(of: stored.variants)
        )
        state.withLock { state in
            var row = RehearsalRow(
                time: clock.now,
                source: source,
                user: occurrence.user.name,
                outcome: outcome
            )
            row.reason = reason
            row.platform = MessagePlatform(device: occurrence.device.platform).rawValue
            row.language = state.people[occurrence.user.profile]?.language ?? ""
            if outcome == .sent {
                row.variant = message.variant ?? ""
                row.title = message.header ?? ""
                row.body = message.message
                let buttons = (message.buttons ?? []).map(\.text)
                row.rest = ([message.imageURL ?? ""] + buttons).joined(separator: "\u{1}")
            }
            add(row, noted, &state)
        }
    }

    private static func rest(of push: PushMessage) -> String {
        var rest = push.subtitle
        rest += "\u{1}"
        rest += push.uri ?? ""
        rest += "\u{1}"
        rest += push.customVariables ?? ""
        for pair in push.keyValuePairs.sorted(by: { $0.key < $1.key }) {
            rest += "\u{1}\(pair.key)=\(pair.value)"
        }
        return rest
    }

    private func add(_ row: RehearsalRow, _ message: Message, _ state: inout State) {
        rows?.add(row)
        let today: CalendarDay
        if let known = state.today, known.moment == row.time {
            today = known.day
        } else {
            today = WallClock.day(of: row.time, in: zone)
            state.today = (row.time, today)
        }
        // In its place: a day has many rows.
        state.days[today, default: [:]][
            row.source,
            default: RehearsalResult.Day(at: row.time)
        ].add(
            row,
            hasVariants: message.variants.count > 1,
            digest: Self.digest(row, message.text)
        )
    }

    private static func digest(_ row: RehearsalRow, _ text: String) -> UInt64 {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        withUnsafeBytes(of: row.time.milliseconds.littleEndian) { bytes += $0 }
        for part in [
            row.user, row.outcome.rawValue, row.reason, row.platform, row.language, row.variant,
            row.title, row.body, row.rest, text,
        ] {
            bytes += part.utf8
            bytes.append(0)
        }
        return SHA256.hash(data: bytes).withUnsafeBytes { hash in
            hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    // MARK: Names

    static func name(of profile: Profile) -> String {
        profile.externalID ?? profile.publicID.uuidString.lowercased()
    }

    static func language(of profile: Profile, _ locale: String?) -> String {
        profile.standard[.language]?.stringValue ?? locale.flatMap { DeviceLocale($0).language }
            ?? ""
    }

    private static func message(of send: Send, _ state: inout State) -> Message {
        if let known = state.messages[send.id] { return known }
        let content = send.content
        let message: Message
        if let launch = content.launch {
            if let known = state.launched[launch.campaign], known.content == launch.content {
                message = known.message
            } else {
                message = Self.message(of: launch)
                state.launched[launch.campaign] = (launch.content, message)
            }
        } else {
            message = Message(
                source: RehearsalSource(kind: .push, name: content.message.title),
                variants: [:],
                text: digest(of: [content.message(for: .ios, variant: nil)])
                    + digest(of: [content.message(for: .android, variant: nil)])
            )
        }
        state.messages[send.id] = message
        return message
    }

    private static func message(of launch: LaunchContext) -> Message {
        Message(
            source: RehearsalSource(
                kind: launch.journey == nil ? .campaign : .journey,
                name: launch.content.name
            ),
            variants: Dictionary(
                launch.content.variants.enumerated().map { ($1.number ?? $0, $1.name) },
                uniquingKeysWith: { first, _ in first }
            ),
            text: digest(of: launch.content.variants.map(\.message))
        )
    }

    private static func digest(of messages: [some Encodable]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Values that were read from JSON are written again without an error.
        let bytes = (try? encoder.encode(messages)) ?? Data()
        return SHA256.hash(data: bytes).prefix(8).map { String($0, radix: 16) }.joined()
    }
}
