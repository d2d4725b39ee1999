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
    let audience: String
    let databaseSize: String
    let rows: [Row]
    let isSound: Bool
    let setAside: String
    /// Room inside the file that the next rows use.
    let freeSize: String
    let retained: [RetainedRow]
    /// Since when nothing is sent.
    let held: Moment?

    /// A server that works, or waits for the one that does.
    struct ServerRow {
        let role: String
        let place: String
        let version: String
        let since: Moment

        init(_ server: SystemState.Server, visit: Visit) {
            role = visit.words(server.isWorking ? "system.working" : "system.waiting")
            place = server.host + (server.port.map { ":\($0)" } ?? "")
            version = server.version
            since = visit.moment(server.since)
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

        init(_ state: RetentionState, visit: Visit) {
            let words = visit.words
            name = words(state.kind.wordKey)
            period =
                state.days.map { words.counted("retention.days", $0) }
                ?? words("retention.for_ever")
            keptSince = state.keptSince.map(visit.moment)
            removed = words.number(state.removed)
            lastRun = state.lastRunAt.map(visit.moment)
            self.state = words(state.phase.wordKey)
        }
    }

    init(_ state: SystemState, _ retention: [RetentionState], visit: Visit) {
        retained = retention.map { RetainedRow($0, visit: visit) }
        freeSize = Self.size(state.freeBytes, visit)
        version = state.version
        servers = state.servers.map { ServerRow($0, visit: visit) }
        audience = Self.audience(state.audience, visit.words)
        databaseSize = Self.size(state.databaseBytes, visit)
        rows = state.setAside.prefix(Self.shownRows).map {
            Row(place: "\($0.table) \($0.number)", reason: visit.words($0.reason))
        }
        isSound = state.setAsideTotal == 0
        held = state.heldSince.map(visit.moment)
        setAside = visit.words.counted("system.set_aside", state.setAsideTotal)
    }

    private static func audience(_ status: AudienceStatus, _ words: Words) -> String {
        if status.isReady { return words.counted("system.audience_ready", status.users) }
        guard status.expected > 0 else { return words("system.audience_loading") }
        let share = words.percent(min(status.done, status.expected), of: status.expected)
        return words("system.audience_part", ["share": share])
    }

    private static func size(_ bytes: Int64?, _ visit: Visit) -> String {
        bytes.map(visit.words.bytes) ?? "–"
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
