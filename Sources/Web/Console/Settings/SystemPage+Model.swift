import Foundation
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
    let audience: String
    let databaseSize: String
    let rows: [Row]
    let isSound: Bool
    let setAside: String
    /// Since when nothing is sent.
    let held: Moment?

    init(_ state: SystemState, visit: Visit) {
        version = state.version
        audience = state.audience
        databaseSize =
            state.databaseBytes.map {
                $0.formatted(
                    .byteCount(style: .file).locale(
                        Locale(identifier: visit.words.language.rawValue)
                    )
                )
            } ?? "–"
        rows = state.setAside.prefix(Self.shownRows).map {
            Row(place: "\($0.table) \($0.number)", reason: $0.reason)
        }
        isSound = state.setAsideTotal == 0
        held = state.heldSince.map(visit.moment)
        setAside = visit.words.counted("system.set_aside", state.setAsideTotal)
    }
}
