/// Finds what somebody may have meant by a name that nothing has.
package enum NearestName {
    /// The name that is a few letters from `name`, or has it as a part; `nil` when none is near.
    package static func of(_ name: String, among names: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased())
        guard !wanted.isEmpty else { return nil }
        let limit = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in names where candidate != name {
            let other = Array(candidate.lowercased())
            let distance =
                isPart(wanted, of: other) || isPart(other, of: wanted)
                ? limit : Self.distance(wanted, other)
            guard distance <= limit, distance < best?.distance ?? .max else { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// Whether one name is a word of the other, such as `city` of `home_city`.
    private static func isPart(_ part: [Character], of whole: [Character]) -> Bool {
        part.count > 2 && whole.split(whereSeparator: { "_- .".contains($0) }).contains(part[...])
    }

    /// How many letters have to be added, taken away, replaced or swapped with the next.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
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
            beforeLast = last
            last = next
        }
        return last[right.count]
    }
}
