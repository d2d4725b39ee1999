import Model
import Relational

/// A table whose rows are facts. The raw values are stored, and are the order in which facts get
/// numbers that have come since the last time: users and sends before what names them.
enum FactStream: Int64, CaseIterable {
    case profiles = 1
    case sends = 2
    case events = 3
    case inAppInteractions = 4
    case audit = 5
    case log = 6
    case pushInteractions = 7

    var table: String {
        switch self {
        case .profiles: "profiles"
        case .sends: "sends"
        case .events: "events"
        case .inAppInteractions: "in_app_message_interactions"
        case .audit: "audit_log"
        case .log: "fact_log"
        case .pushInteractions: "push_interactions"
        }
    }

    /// What its rows can be.
    var kinds: Set<Fact.Kind> {
        switch self {
        case .profiles: [.user]
        case .sends: [.send]
        case .events: [.event, .purchase, .session, .uninstall]
        case .inAppInteractions: [.inAppInteraction]
        case .audit: [.audit]
        case .pushInteractions: [.pushInteraction]
        case .log:
            [
                .userNamed, .userMerged, .userDeleted, .consent, .message, .messageOutcome,
                .messageAnonymized, .influencedOpen, .pushInteraction, .controlMember, .withheld,
                .newsRead,
                .journeyEntered, .journeyStep, .journeyLeft, .journeyConverted,
            ]
        }
    }
}

/// The numbers of consecutive rows of a stream.
struct FactSpan {
    /// The number of the first fact.
    var first: Int64
    var stream: FactStream
    /// The first row.
    var row: Int64
    var rows: Int64
    /// More than `rows` only for a single row that has a list.
    var facts: Int64

    var last: Int64 { first + facts - 1 }

    init(first: Int64, stream: FactStream, row: Int64, rows: Int64, facts: Int64) {
        self.first = first
        self.stream = stream
        self.row = row
        self.rows = rows
        self.facts = facts
    }

    /// `nil` for a stream of a later version.
    init?(_ row: Row) {
        guard let stream = FactStream(rawValue: row["stream"]) else { return nil }
        self.init(
            first: row["first"],
            stream: stream,
            row: row["row"],
            rows: row["rows"],
            facts: row["facts"]
        )
    }
}
