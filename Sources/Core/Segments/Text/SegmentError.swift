import Reasons

/// What is wrong with a segment's definition, and where.
package struct SegmentError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A JSON pointer to the filter in the segment's JSON form, such as `/and/0/or/1`; empty for
    /// the whole segment.
    package var pointer: String
    /// Where in the text form, counted in Unicode scalars from its start.
    package var range: Range<Int>?
    package var reason: Reason

    package init(
        pointer: String = "",
        range: Range<Int>? = nil,
        _ code: SegmentReason,
        _ arguments: [String: Reason.Argument] = [:]
    ) {
        self.pointer = pointer
        self.range = range
        reason = Reason(code, arguments)
    }

    package var message: String { reason.description }

    package var description: String { "\(place): \(message)" }

    /// The filter, and where in the text it is.
    package var place: String {
        let filter = pointer.isEmpty ? "segment" : pointer
        return range.map { "\(filter), characters \($0.lowerBound)–\($0.upperBound)" } ?? filter
    }

    /// What is wrong, with the line and column, from 1, where it starts in `text`.
    package func placed(in text: String) -> Reason {
        guard let place = lineAndColumn(in: text) else { return reason }
        return Reason(
            SegmentReason.onLine,
            ["line": "\(place.line)", "column": "\(place.column)", "reason": .reason(reason)]
        )
    }

    /// The line and column, from 1, where the problem starts in `text`.
    package func lineAndColumn(in text: String) -> (line: Int, column: Int)? {
        guard let range else { return nil }
        var line = 1
        var column = 1
        for scalar in text.unicodeScalars.prefix(range.lowerBound) {
            if scalar == "\n" {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return (line, column)
    }
}
