/// Suggests an existing name for an unknown one. Names may be untrusted: thousands of long ones are
/// cheap.
package enum NearestName {
    private static let longest = 100
    private static let maxSteps = 3

    /// The name closest to `name`: it differs in at most a third of the letters and no more than
    /// three, or one name is a word of the other. `nil` if none is close or `name` has over 100
    /// letters.
    package static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        guard 1...longest ~= wanted.count else { return nil }
        let limit = min(maxSteps, max(1, wanted.count / 3))
        var best: (name: String, distance: Int)?
        for candidate in names where candidate != name {
            guard candidate.utf8.count <= longest * 4 else { continue }
            let other = Array(candidate.lowercased())
            guard other.count <= longest else { continue }
            let distance =
                isPart(wanted, of: other) || isPart(other, of: wanted)
                ? limit : Self.distance(wanted, other, atMost: limit)
            guard let distance, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// Whether one name is a word of the other, such as `city` of `home_city`.
    private static func isPart(_ part: [Character], of whole: [Character]) -> Bool {
        part.count > 2 && whole.split(whereSeparator: { "_- .".contains($0) }).contains(part[...])
    }

    /// The number of letters to insert, delete, replace or swap with the next; `nil` if over
    /// `limit`.
    private static func distance(
        _ left: [Character],
        _ right: [Character],
        atMost limit: Int
    ) -> Int? {
        guard abs(left.count - right.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var steps = min(
                    last[column + 1] + 1,
                    next[column] + 1,
                    last[column] + (letter == other ? 0 : 1)
                )
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    steps = min(steps, beforeLast[column - 1] + 1)
                }
                next.append(steps)
            }
            // A later row cannot be less than the minimum of two consecutive rows.
            guard min(next.min() ?? 0, last.min() ?? 0) <= limit else { return nil }
            beforeLast = last
            last = next
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}
