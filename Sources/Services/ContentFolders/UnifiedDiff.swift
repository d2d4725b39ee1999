/// How a file differs from another, as `git apply` and `patch` take it.
enum UnifiedDiff {
    /// Lines without a difference that are shown around one.
    private static let context = 3
    /// Lines in which the shortest difference is looked for; of more, all are replaced.
    private static let searched = 4_000

    private enum Step {
        case same(String), removed(String), added(String)

        var isChange: Bool { if case .same = self { false } else { true } }
    }

    /// - Parameters:
    ///   - old: `nil` if there is no such file yet.
    ///   - new: `nil` if it is removed.
    /// - Returns: An empty text if both are the same.
    static func text(_ path: String, from old: String?, to new: String?) -> String {
        guard old != new else { return "" }
        let (mine, theirs) = (quoted("a/" + path), quoted("b/" + path))
        var text = "diff --git \(mine) \(theirs)\n"
        if old == nil { text += "new file mode 100644\n" }
        if new == nil { text += "deleted file mode 100644\n" }
        let steps = steps(lines(of: old ?? ""), lines(of: new ?? ""))
        guard !steps.isEmpty else { return text }
        text += "--- \(old == nil ? "/dev/null" : named(mine))\n"
        text += "+++ \(new == nil ? "/dev/null" : named(theirs))\n"
        return text + hunks(steps)
    }

    // MARK: Hunks

    private static func hunks(_ steps: [Step]) -> String {
        var text = ""
        var (before, after) = (1, 1)
        var place = 0
        while let change = steps[place...].firstIndex(where: \.isChange) {
            let first = max(place, change - context)
            before += first - place
            after += first - place
            // Changes whose surroundings touch are one hunk.
            var last = change
            for next in steps.indices[change...] where steps[next].isChange {
                if next - last > 2 * context { break }
                last = next
            }
            let end = min(steps.count, last + 1 + context)
            text += hunk(steps[first..<end], &before, &after)
            place = end
        }
        return text
    }

    private static func hunk(
        _ steps: ArraySlice<Step>,
        _ before: inout Int,
        _ after: inout Int
    ) -> String {
        var (old, new) = (0, 0)
        var body = ""
        for step in steps {
            let (sign, line): (String, String)
            switch step {
            case .same(let text): (sign, line) = (" ", text)
            case .removed(let text): (sign, line) = ("-", text)
            case .added(let text): (sign, line) = ("+", text)
            }
            if sign != "+" { old += 1 }
            if sign != "-" { new += 1 }
            body += sign + line
            if line.unicodeScalars.last != "\n" { body += "\n\\ No newline at end of file\n" }
        }
        defer {
            before += old
            after += new
        }
        // A side without lines stands behind the line before it.
        let range = { (first: Int, count: Int) in
            "\(count == 0 ? first - 1 : first)" + (count == 1 ? "" : ",\(count)")
        }
        return "@@ -\(range(before, old)) +\(range(after, new)) @@\n" + body
    }

    // MARK: Lines

    /// With their ends, so that a last line without one is another line.
    private static func lines(of text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            line.append(scalar)
            guard scalar == "\n" else { continue }
            lines.append(String(line))
            line = String.UnicodeScalarView()
        }
        if !line.isEmpty { lines.append(String(line)) }
        return lines
    }

    private static func steps(_ old: [String], _ new: [String]) -> [Step] {
        let least = min(old.count, new.count)
        let head = (0..<least).first { !isSame(old[$0], new[$0]) } ?? least
        let tail =
            (0..<least - head).first {
                !isSame(old[old.count - 1 - $0], new[new.count - 1 - $0])
            } ?? least - head
        let mine = old[head..<old.count - tail]
        let theirs = new[head..<new.count - tail]
        var steps = old[..<head].map(Step.same)
        if mine.count + theirs.count > searched {
            steps += mine.map(Step.removed) + theirs.map(Step.added)
        } else {
            steps += changes(Array(mine), Array(theirs))
        }
        return steps + old[(old.count - tail)...].map(Step.same)
    }

    private static func changes(_ old: [String], _ new: [String]) -> [Step] {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old, by: isSame) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var steps: [Step] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                steps.append(.removed(old[before]))
                before += 1
            } else if added.contains(after) {
                steps.append(.added(new[after]))
                after += 1
            } else {
                steps.append(.same(old[before]))
                before += 1
                after += 1
            }
        }
        return steps
    }

    /// Byte for byte: texts that are only canonically the same are different lines of a file.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    // MARK: Names

    /// As git writes names that would be read wrong otherwise.
    private static func quoted(_ path: String) -> String {
        func isPlain(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x20 && scalar != "\"" && scalar != "\\" && scalar.value != 0x7F
        }
        guard !path.unicodeScalars.allSatisfy(isPlain) else { return path }
        let inner = path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80, isPlain(scalar) { return String(scalar) }
            let octal = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - octal.count) + octal
        }
        return "\"" + inner.joined() + "\""
    }

    /// Where a name ends is not clear if it has spaces.
    private static func named(_ path: String) -> String {
        path.contains(" ") && !path.hasPrefix("\"") ? path + "\t" : path
    }
}
