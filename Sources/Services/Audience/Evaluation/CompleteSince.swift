import Foundation
import Model
import Segments

/// Since when everything is there that a rule looks at. What is older is only summed up: what users
/// did ever, first or last is known, and how often they did it within a time of its own is not.
struct CompleteSince {
    private let columns: ColumnSnapshot
    private let calendars: ZoneCalendars
    private let directory: any SegmentResolver

    init(_ columns: ColumnSnapshot, at time: EvaluationTime, directory: any SegmentResolver) {
        self.columns = columns
        calendars = ZoneCalendars(columns, time)
        self.directory = directory
    }

    /// `nil` where the answer is complete.
    func second(of rule: SegmentRule) -> Int64? {
        var seconds: [Int64] = []
        rule.forEachActivity(in: directory) { condition in
            if let second = second(of: condition) { seconds.append(second) }
        }
        return seconds.max()
    }

    private func second(of condition: ActivityCondition) -> Int64? {
        let since: Int64?
        switch condition.subject {
        case .event(let name): since = columns.keptSince(of: .event(name))
        case .session: since = columns.keptSince(of: .session)
        case .message(.converted, _), .purchase: since = nil
        case .message: since = columns.keptInteractionsSince
        }
        guard let kept = since else { return nil }
        let isKnown = calendars.all.allSatisfy { calendar in
            Self.isKnown(condition, ActivityQuestion(condition, calendar).window, keptSince: kept)
        }
        return isKnown ? nil : kept
    }

    private static func isKnown(
        _ condition: ActivityCondition,
        _ window: ActivityWindow,
        keptSince kept: Int64
    ) -> Bool {
        if window.from >= kept { return true }
        // Properties are gone with the rows.
        guard condition.properties.isEmpty else { return false }
        let isFromTheBeginning = window.from == .min
        let isToTheEnd = window.until >= kept
        if isFromTheBeginning, isToTheEnd { return true }
        return switch condition.measure {
        case .first: isFromTheBeginning
        case .last: isToTheEnd
        // Whether there was one at all is said by the first or the last.
        case .count(.greaterOrEqual, 1), .count(.greater, 0), .count(.notEqual, 0),
            .count(.equal, 0), .count(.less, 1), .count(.lessOrEqual, 0):
            isFromTheBeginning || isToTheEnd
        case .count, .sum: false
        }
    }
}

extension SegmentationService {
    /// Since when everything is there that a rule looks at; `nil` if all of it is, and while the
    /// columns are not there yet, which answer nothing then.
    package func completeSince(
        _ rule: SegmentRule,
        book: WorkspaceSegmentResolver,
        in workspace: WorkspaceID
    ) async throws -> Date? {
        guard let columns = index?.columns(of: workspace) else { return nil }
        let time = try await time(of: .now, in: workspace)
        return CompleteSince(columns, at: time, directory: book).second(of: rule)
            .map { Date(timeIntervalSince1970: Double($0)) }
    }
}
