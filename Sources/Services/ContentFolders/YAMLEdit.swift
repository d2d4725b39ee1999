import Foundation
import JSON
import NoroshiWire
import Yams

/// A YAML file that says something else, with as little of it rewritten as that takes: comments and order
/// stay where nothing is changed, and quotes also where something is.
struct YAMLEdit {
    /// Lines that take the place of others.
    private struct Splice {
        let lines: Range<Int>
        let text: [String]
    }

    private let lines: [String]
    private let lineEnd: String
    private var splices: [Splice] = []

    /// - Parameters:
    ///   - text: The file, which says `old`.
    ///   - new: What it is to say.
    /// - Throws: An error of YAML for what it cannot hold.
    static func text(_ text: String, from old: JSONValue, to new: JSONValue) throws -> String {
        guard old != new else { return text }
        guard let parsed = try? Parser(yaml: text, encoding: .utf8).singleRoot() else {
            return try YAMLWriter.text(new)
        }
        let node = styled(parsed, lines(of: text).map { Array($0.unicodeScalars) })
        if case .mapping(let root) = node, case .object(let before) = old,
            case .object(let after) = new
        {
            var edit = YAMLEdit(text)
            let end = edit.lines.count - (edit.lines.last == "" ? 1 : 0)
            if try edit.change(root, before, after, until: end) {
                // Whatever was misunderstood of a file shows in what it says now.
                let edited = edit.text
                if (try? YAMLReader(edited, path: "").value) == new { return edited }
            }
        }
        let whole = try YAMLWriter.text(new, like: node, saying: old)
        return (try? YAMLReader(whole, path: "").value) == new ? whole : try YAMLWriter.text(new)
    }

    /// A node with the styles that its lines show: of mappings and sequences the parser tells none.
    private static func styled(_ node: Node, _ lines: [[Unicode.Scalar]]) -> Node {
        func begins(_ mark: Mark?, with bracket: Unicode.Scalar) -> Bool {
            guard let mark, lines.indices.contains(mark.line - 1) else { return false }
            let line = lines[mark.line - 1]
            return line.indices.contains(mark.column - 1) && line[mark.column - 1] == bracket
        }
        switch node {
        case .mapping(let mapping):
            return .mapping(
                Node.Mapping(
                    mapping.map { ($0.key, styled($0.value, lines)) },
                    mapping.tag,
                    begins(mapping.mark, with: "{") ? .flow : .block,
                    mapping.mark
                )
            )
        case .sequence(let sequence):
            return .sequence(
                Node.Sequence(
                    sequence.map { styled($0, lines) },
                    sequence.tag,
                    begins(sequence.mark, with: "[") ? .flow : .block,
                    sequence.mark
                )
            )
        default: return node
        }
    }

    private init(_ text: String) {
        let lines = Self.lines(of: text)
        // A file from Windows stays one.
        let hasReturns =
            lines.count > 1 && lines.dropLast().allSatisfy { $0.unicodeScalars.last == "\r" }
        lineEnd = hasReturns ? "\r\n" : "\n"
        self.lines =
            hasReturns
            ? lines.dropLast().map { String($0.unicodeScalars.dropLast()) } + lines.suffix(1)
            : lines
    }

    private static func lines(of text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    private var text: String {
        var lines = lines
        // From the end, so that the others keep their places; what is put in front of a line that is replaced
        // comes after that.
        let ordered = splices.enumerated().sorted { one, other in
            func key(_ splice: Splice, _ offset: Int) -> (Int, Int, Int) {
                (splice.lines.lowerBound, splice.lines.isEmpty ? 0 : 1, offset)
            }
            return key(one.element, one.offset) > key(other.element, other.offset)
        }
        for (_, splice) in ordered { lines.replaceSubrange(splice.lines, with: splice.text) }
        return lines.joined(separator: lineEnd)
    }

    // MARK: Members

    /// Changes the members of a mapping that has a line for each.
    ///
    /// - Parameter until: The line after its last one.
    /// - Returns: Whether it could; the mapping has to be replaced as a whole otherwise.
    private mutating func change(
        _ mapping: Node.Mapping,
        _ old: [String: JSONValue],
        _ new: [String: JSONValue],
        until end: Int
    ) throws -> Bool {
        guard mapping.style != .flow, !mapping.isEmpty, !new.isEmpty else { return false }
        var members: [(key: Node.Scalar, value: Node, column: Int, lines: Range<Int>)] = []
        for (key, value) in mapping {
            guard let name = key.scalar, let mark = key.mark else { return false }
            if let last = members.indices.last {
                let first = members[last].lines.lowerBound
                guard mark.line - 1 > first else { return false }
                members[last].lines = trimmed(first..<mark.line - 1, column: mark.column)
            }
            guard mark.line - 1 < end else { return false }
            members.append((name, value, mark.column, mark.line - 1..<end))
        }
        guard let column = members.first?.column, let last = members.indices.last,
            members.allSatisfy({ $0.column == column })
        else { return false }
        members[last].lines = trimmed(members[last].lines, column: column)
        for (place, member) in members.enumerated() {
            let name = member.key.string
            guard let after = new[name] else {
                // The first one of a mapping may stand behind a dash.
                guard place > 0 || isIndent(member.lines.lowerBound, before: column) else {
                    return false
                }
                splices.append(Splice(lines: member.lines, text: []))
                continue
            }
            guard let before = old[name], before != after else { continue }
            let kept = splices
            if try change(member.value, before, after, until: member.lines.upperBound) { continue }
            splices = kept
            let text = try YAMLWriter.member(
                member.key,
                after,
                like: member.value,
                saying: before
            )
            replace(member.lines, saying: .object([name: before]), text, column: column)
        }
        try add(new, to: members.map { ($0.key.string, $0.lines.upperBound) }, column: column)
        return true
    }

    private mutating func add(
        _ new: [String: JSONValue],
        to members: [(name: String, end: Int)],
        column: Int
    ) throws {
        let known = Set(members.map(\.name))
        var end = members[members.count - 1].end
        for (name, value) in YAMLWriter.layout.ordered(new) {
            if let member = members.first(where: { $0.name == name }) {
                end = member.end
            } else if !known.contains(name) {
                let text = try Self.shifted(YAMLWriter.text(.object([name: value])), column)
                splices.append(Splice(lines: end..<end, text: text))
            }
        }
    }

    /// Puts a text in the place of lines that say `value` from a column on.
    private mutating func replace(
        _ range: Range<Int>,
        saying value: JSONValue,
        _ new: String,
        column: Int
    ) {
        var text = Self.shifted(new, column)
        let first = lines[range.lowerBound]
        // What stands before a key, such as the dash of an element.
        text[0] =
            String(first.unicodeScalars.prefix(column - 1))
            + String(text[0].unicodeScalars.dropFirst(column - 1))
        if range.count == 1, text.count == 1 {
            text[0] += comment(after: value, in: String(first.unicodeScalars.dropFirst(column - 1)))
        }
        splices.append(Splice(lines: range, text: text))
    }

    /// The comment at the end of a line.
    private func comment(after value: JSONValue, in line: String) -> String {
        var search = line.startIndex..<line.endIndex
        while let mark = line.range(of: " #", range: search) {
            if (try? YAMLReader(String(line[..<mark.lowerBound]), path: "").value) == value {
                let start = line[..<mark.lowerBound].lastIndex { $0 != " " && $0 != "\t" }
                return String(line[(start.map(line.index(after:)) ?? mark.lowerBound)...])
            }
            search = mark.upperBound..<line.endIndex
        }
        return ""
    }

    // MARK: Values

    private mutating func change(
        _ node: Node,
        _ before: JSONValue,
        _ after: JSONValue,
        until end: Int
    ) throws -> Bool {
        switch (node, before, after) {
        case (.mapping(let mapping), .object(let old), .object(let new)):
            return try change(mapping, old, new, until: end)
        case (.sequence(let sequence), .array(let old), .array(let new)):
            return try change(sequence, old, new, until: end)
        default: return false
        }
    }

    /// Changes the elements of a sequence that has lines for each: those between the ones at its beginning
    /// and its end that stay as they are.
    private mutating func change(
        _ sequence: Node.Sequence,
        _ old: [JSONValue],
        _ new: [JSONValue],
        until end: Int
    ) throws -> Bool {
        guard sequence.style != .flow, let mark = sequence.mark, !sequence.isEmpty, !new.isEmpty,
            sequence.count == old.count
        else { return false }
        let column = mark.column
        var starts: [Int] = []
        for element in sequence {
            guard let line = element.mark?.line, let start = dash(at: line - 1, column) else {
                return false
            }
            guard start > starts.last ?? -1, start < end else { return false }
            starts.append(start)
        }
        let ends = starts.dropFirst() + [end]
        let spans = zip(starts, ends).map { trimmed($0..<$1, column: column) }
        let same = SharedEnds(old, new)
        let removed = same.head..<old.count - same.tail
        let added = same.head..<new.count - same.tail
        if removed.count == added.count {
            for place in removed where old[place] != new[place] {
                let kept = splices
                if try change(
                    sequence[place],
                    old[place],
                    new[place],
                    until: spans[place].upperBound
                ) {
                    continue
                }
                splices = kept
                let text = try YAMLWriter.element(
                    new[place],
                    like: sequence[place],
                    saying: old[place]
                )
                replace(spans[place], saying: .array([old[place]]), text, column: column)
            }
            return true
        }
        // What is new among texts in quotes is in quotes too.
        let styles = Set(sequence.map { $0.scalar?.style })
        let text = try new[added].flatMap {
            try Self.shifted(
                YAMLWriter.element($0, like: styles.count == 1 ? sequence[0] : nil, saying: nil),
                column
            )
        }
        let place =
            removed.isEmpty
            ? (same.head == 0 ? starts[0] : spans[same.head - 1].upperBound)
            : spans[removed.lowerBound].lowerBound
        let last = removed.isEmpty ? place : spans[removed.upperBound - 1].upperBound
        splices.append(Splice(lines: place..<last, text: text))
        return true
    }

    // MARK: Lines

    /// Without the empty lines and comments at its end, which belong to what follows.
    private func trimmed(_ range: Range<Int>, column: Int) -> Range<Int> {
        var range = range
        while range.count > 1, let last = range.last {
            let scalars = lines[last].unicodeScalars
            let indent = scalars.prefix { $0 == " " }.count
            let rest = scalars.dropFirst(indent).first
            guard rest == nil || rest == "\r" || rest == "#" && indent < column else { break }
            range = range.lowerBound..<last
        }
        return range
    }

    /// The line with the dash of an element that begins on this line, or on a later one.
    private func dash(at line: Int, _ column: Int) -> Int? {
        var line = line
        while line >= 0 {
            let scalars = Array(lines[line].unicodeScalars)
            if scalars.count >= column, scalars[column - 1] == "-" { return line }
            guard isIndent(line, before: scalars.count + 1) || scalars.first == "#" else {
                return nil
            }
            line -= 1
        }
        return nil
    }

    private func isIndent(_ line: Int, before column: Int) -> Bool {
        lines[line].unicodeScalars.prefix(column - 1).allSatisfy { $0 == " " }
    }

    /// Lines of a text with a line end, beginning in a column.
    private static func shifted(_ text: String, _ column: Int) -> [String] {
        let indent = String(repeating: " ", count: column - 1)
        return lines(of: text).dropLast().map { $0.isEmpty ? "" : indent + $0 }
    }
}
