import Segments

/// Groups users by time zones whose calendars give a filter the same meaning.
struct ZoneGroups: Sendable {
    /// The number of the attribute that contains the zones.
    let attribute: Int
    /// The group of each name in that attribute's dictionary.
    let groupOfCode: [UInt16]
    /// The group of users without a zone.
    let groupOfMissing: UInt16

    /// Writes the group of each of a chunk's rows.
    func write(_ chunk: AudienceChunk, to target: UnsafeMutablePointer<UInt16>) {
        target.update(repeating: groupOfMissing, count: chunk.count)
        guard attribute < chunk.attributes.count,
            let cells = chunk.attributes[attribute].strings
        else { return }
        groupOfCode.withUnsafeBufferPointer { groups in
            cells.forEach { row, code in
                let code = Int(truncatingIfNeeded: code)
                if code < groups.count { target[row] = groups[code] }
            }
        }
    }
}

/// The calendars of all time zones in the columns, created on first use.
final class ZoneCalendars {
    private let columns: ColumnSnapshot
    private let time: EvaluationTime
    private lazy var ofCode: [UserCalendar] = {
        guard let number = columns.number(of: .timeZone) else { return [] }
        return columns.catalog.dictionaries[number].values.map { time.calendar(inZone: $0) }
    }()
    /// The calendar of users without a zone.
    private(set) lazy var usual: UserCalendar = time.calendar(inZone: nil)

    init(_ columns: ColumnSnapshot, _ time: EvaluationTime) {
        self.columns = columns
        self.time = time
    }

    var all: [UserCalendar] { [usual] + ofCode }

    /// The distinct questions of a filter on all calendars, and the groups of users to whom they
    /// apply; `nil` if the question is the same for all users.
    func groups<Question: Hashable>(
        _ question: (UserCalendar) -> Question
    ) -> (questions: [Question], groups: ZoneGroups?) {
        var questions: [Question] = []
        var places: [Question: UInt16] = [:]
        func place(_ calendar: UserCalendar) -> UInt16 {
            let asked = question(calendar)
            if let known = places[asked] { return known }
            let place = UInt16(questions.count)
            places[asked] = place
            questions.append(asked)
            return place
        }
        let missing = place(usual)
        let codes = ofCode.map(place)
        guard questions.count > 1, let number = columns.number(of: .timeZone) else {
            return (questions, nil)
        }
        return (
            questions,
            ZoneGroups(attribute: number, groupOfCode: codes, groupOfMissing: missing)
        )
    }
}
