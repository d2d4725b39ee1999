import Audience
import Foundation
import Model
import Retention
import WebPages

/// The server's status page: its database, and unreadable rows.
struct SystemPage {
    struct Row {
        let place: String
        let reason: String
    }

    /// Maximum number of shown rows; the log has all of them.
    private static let shownRows = 100

    let version: String
    let servers: [ServerRow]
    /// Whether others may work beside this one.
    let isShared: Bool
    let isAnyClockOff: Bool
    let isAnySilent: Bool
    let audience: String
    let databaseSize: String
    let rows: [Row]
    let isSound: Bool
    let setAside: String
    /// Room inside the file that the next rows use.
    let freeSize: String
    let retained: [RetainedRow]
    /// Whether some of the old rows stay.
    let areHeld: Bool
    /// Since when nothing is sent.
    let held: Moment?

    /// A server that works on the database.
    struct ServerRow {
        let name: String
        let place: String
        let role: String
        let tone: String
        /// What it does, where others do the rest.
        let duties: [String]
        let version: String
        let since: Moment
        let silence: String
        let isSilent: Bool
        let clock: String
        let isClockOff: Bool
        let users: String
        let lag: String
        let pushes: String

        init(_ server: SystemState.Server, context: ConsoleContext) {
            let words = context.words
            name = server.name
            place = server.host + (server.port.map { ":\($0)" } ?? "")
            switch (server.isReady, server.leads) {
            case (true, true): (role, tone) = (words("system.leads"), "live")
            case (true, false): (role, tone) = (words("system.working"), "good")
            case (false, true): (role, tone) = (words("system.leads_reading"), "warn")
            case (false, false): (role, tone) = (words("system.reading"), "warn")
            }
            duties =
                server.roles == .all
                ? []
                : ServerRole.allCases.filter(server.roles.contains).map { words($0.wordKey) }
            version = server.version
            since = context.moment(server.since)
            silence = Self.seconds(server.silence, words)
            isSilent = server.isSilent
            clock = Self.offset(server.clockOffset, words)
            isClockOff = server.isClockOff
            users = server.roles.keepsColumns ? words.number(server.users) : "–"
            lag =
                server.roles.keepsColumns
                ? words("system.behind", ["time": Self.seconds(server.audienceLag, words)]) : ""
            pushes = words.number(server.pushesInFlight)
        }

        private static func seconds(_ seconds: TimeInterval, _ words: Words) -> String {
            words("system.seconds", ["seconds": words.decimal(seconds)])
        }

        /// A clock is ahead or behind, or neither as far as the digits tell.
        private static func offset(_ seconds: TimeInterval, _ words: Words) -> String {
            let size = Self.seconds(abs(seconds), words)
            guard size != Self.seconds(0, words) else { return size }
            return words(seconds < 0 ? "system.behind" : "system.ahead", ["time": size])
        }
    }

    /// What the workspace keeps of one kind.
    struct RetainedRow {
        let name: String
        let period: String
        let keptSince: Moment?
        let removed: String
        let lastRun: Moment?
        let state: String
        let isHeld: Bool
        let holders: [Holder]
        /// How many more hold some, where those are many.
        let others: String?

        /// Whose conversions are counted from rows, which stay for it.
        struct Holder {
            let name: String
            let address: String
            let isFollowed: Bool

            init(_ holder: RetentionHolder, isFollowed: Bool) {
                name = holder.name
                self.isFollowed = isFollowed
                address =
                    switch holder.subject {
                    case .campaign(let id, _): ConsolePath.campaign("\(id)").path
                    case .inAppMessage(let id):
                        ConsolePath.inAppMessage(id.uuidString.lowercased()).path
                    }
            }
        }

        private static let shownHolders = 10

        init(_ state: RetentionState, context: ConsoleContext) {
            let words = context.words
            name = words(state.kind.wordKey)
            period =
                state.days.map { words.counted("retention.days", $0) }
                ?? words("retention.for_ever")
            keptSince = state.keptSince.map(context.moment)
            removed = words.number(state.removed)
            lastRun = state.lastRunAt.map(context.moment)
            self.state = words(state.phase.wordKey)
            isHeld = !state.holders.isEmpty
            let shown = state.holders.prefix(Self.shownHolders)
            holders = shown.enumerated().map {
                Holder($1, isFollowed: $0 + 1 < shown.count)
            }
            let more = state.holders.count - holders.count
            others = more > 0 ? words.counted("retention.others", more) : nil
        }
    }

    init(_ state: SystemState, _ retention: [RetentionState], context: ConsoleContext) {
        retained = retention.map { RetainedRow($0, context: context) }
        areHeld = retained.contains(where: \.isHeld)
        freeSize = Self.size(state.freeBytes, context)
        version = state.version
        servers = state.servers.map { ServerRow($0, context: context) }
        isShared = state.isShared
        isAnyClockOff = state.servers.contains(where: \.isClockOff)
        isAnySilent = state.servers.contains(where: \.isSilent)
        audience = Self.audience(state.audience, context.words)
        databaseSize = Self.size(state.databaseBytes, context)
        rows = state.setAside.prefix(Self.shownRows).map {
            Row(place: "\($0.table) \($0.number)", reason: context.words($0.reason))
        }
        isSound = state.setAsideTotal == 0
        held = state.heldSince.map(context.moment)
        setAside = context.words.counted("system.set_aside", state.setAsideTotal)
    }

    private static func audience(_ status: AudienceStatus, _ words: Words) -> String {
        if status.isReady { return words.counted("system.audience_ready", status.users) }
        guard status.expected > 0 else { return words("system.audience_loading") }
        let share = words.percent(min(status.done, status.expected), of: status.expected)
        return words("system.audience_part", ["share": share])
    }

    private static func size(_ bytes: Int64?, _ context: ConsoleContext) -> String {
        bytes.map(context.words.bytes) ?? "–"
    }
}

extension RetainedKind {
    fileprivate var wordKey: String {
        switch self {
        case .recordIDs: "retention.record_ids"
        case .audit: "retention.audit"
        case .customEvents: "retention.custom_events"
        case .sessions: "retention.sessions"
        case .inAppReports: "retention.in_app_reports"
        case .pushReports: "retention.push_reports"
        case .dispatches: "retention.dispatches"
        }
    }
}

extension ServerRole {
    fileprivate var wordKey: String {
        switch self {
        case .requests: "system.requests"
        case .delivery: "system.delivery"
        case .leadership: "system.leadership"
        }
    }
}

extension RetentionState.Phase {
    fileprivate var wordKey: String {
        switch self {
        case .off: "retention.off"
        case .waiting: "retention.waiting"
        case .running: "retention.running"
        case .done: "retention.done"
        case .behind: "retention.behind"
        }
    }
}
