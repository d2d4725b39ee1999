import Model
import Reasons
import Reports
import Segments

/// By what users are taken apart: the values that each user has.
struct UserTraits: Sendable {
    private enum Kind: Sendable {
        case attribute(number: Int?)
        /// The text of each kind of device.
        case devices([String])
        /// The users of each segment.
        case segments([(ReportGroup, [[UInt64]])])
    }

    private let columns: ColumnSnapshot
    private let kind: Kind

    /// `nil` for a property, which occurrences have.
    init?(_ engine: ReportEngine, _ breakdown: ReportBreakdown) throws {
        columns = engine.columns
        switch breakdown.trait {
        case .property: return nil
        case .platform: kind = .devices(columns.kinds.map(\.platform))
        case .app: kind = .devices(columns.kinds.map(\.app))
        case .segments(let segments):
            kind = .segments(
                zip(segments, engine.segments).map { (ReportGroup.segment($0), $1) }
            )
        case .attribute(.standard(let attribute)):
            guard let number = columns.number(of: attribute) else {
                throw FieldProblem("breakdown.name", .unkeptAttribute)
            }
            kind = .attribute(number: number)
        case .attribute(.custom(let path)):
            let keys = path.steps.compactMap { step -> String? in
                if case .key(let key) = step { key } else { nil }
            }
            let number = columns.catalog.number(of: keys)
            if number == nil, columns.catalog.isOverflowing {
                throw FieldProblem("breakdown.name", .unkeptAttribute)
            }
            kind = .attribute(number: number)
        }
    }

    /// How many of some rows of a chunk have each value.
    func counts(inChunk number: Int, of population: [UInt64]) -> [String?: Int] {
        var counts: [String?: Int] = [:]
        if case .segments = kind { return counts }
        forEachValue(inChunk: number, of: population) { _, value in
            counts[value, default: 0] += 1
        }
        return counts
    }

    /// The groups that are shown: the values of the most users, of equal ones the first by the bytes
    /// of their text, and what is left.
    func groups(_ counts: [String?: Int], limit: Int) -> ReportGroups {
        if case .segments(let segments) = kind {
            return ReportGroups(shown: segments.map(\.0) + [.missing])
        }
        return ReportGroups(counts, limit: limit)
    }

    /// For each row of a chunk the groups it is in, one bit each.
    func masks(inChunk number: Int, of population: [UInt64], _ groups: ReportGroups) -> [UInt64] {
        var masks = [UInt64](repeating: 0, count: columns.chunks[number].count)
        if case .segments(let segments) = kind {
            population.forEachRow { row in
                for (place, segment) in segments.enumerated() where segment.1[number].contains(row)
                {
                    masks[row] |= 1 << UInt64(place)
                }
                if masks[row] == 0 { masks[row] = 1 << UInt64(segments.count) }
            }
            return masks
        }
        forEachValue(inChunk: number, of: population) { row, value in
            masks[row] |= 1 << UInt64(groups.number(of: value))
        }
        return masks
    }

    /// Calls with each value of each row, once, and with `nil` for rows without any.
    private func forEachValue(
        inChunk number: Int,
        of population: [UInt64],
        _ body: (Int, String?) -> Void
    ) {
        let chunk = columns.chunks[number]
        switch kind {
        case .segments: return
        case .devices(let texts):
            population.forEachRow { row in
                let range = chunk.devices.range(at: row)
                if range.isEmpty { return body(row, nil) }
                var known: [String] = []
                for place in range {
                    let text = texts[Int(chunk.devices.kinds.value(at: place) ?? 0)]
                    if known.contains(text) { continue }
                    known.append(text)
                    body(row, text)
                }
            }
        case .attribute(let number):
            guard let number, number < chunk.attributes.count else {
                return population.forEachRow { body($0, nil) }
            }
            let column = chunk.attributes[number]
            let dictionary = columns.catalog.dictionaries[number]
            population.forEachRow { row in
                let texts = ReportValue.texts(of: column.value(at: row, dictionary: dictionary))
                if texts.isEmpty { return body(row, nil) }
                for text in texts { body(row, text) }
            }
        }
    }
}
