import Segments

/// Users whose calendars answer a filter alike, by their time zones.
struct ZoneGroups: Sendable {
    /// The number of the attribute that holds the zones.
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

/// The calendars of all time zones that the columns have, made when a filter first asks for them.
final class ZoneCalendars {
    private let columns: AudienceColumns
    private let time: EvaluationTime
    private lazy var ofCode: [UserCalendar] = {
        guard let number = columns.number(of: .timeZone) else { return [] }
        return columns.catalog.dictionaries[number].values.map { time.calendar(inZone: $0) }
    }()
    /// Of users without a zone.
    private(set) lazy var usual: UserCalendar = time.calendar(inZone: nil)

    init(_ columns: AudienceColumns, _ time: EvaluationTime) {
        self.columns = columns
        self.time = time
    }

    var all: [UserCalendar] { [usual] + ofCode }

    /// What a filter asks on each calendar, every answer once, and whose calendars they are; `nil`
    /// when it asks all users the same.
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
