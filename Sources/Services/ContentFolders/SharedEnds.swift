/// How many elements two lists have in common at their beginnings, and then at their ends.
struct SharedEnds {
    let head: Int
    let tail: Int

    init<Element: Equatable>(_ old: [Element], _ new: [Element]) {
        let least = min(old.count, new.count)
        let head = (0..<least).first { old[$0] != new[$0] } ?? least
        self.head = head
        tail =
            (0..<least - head).first {
                old[old.count - 1 - $0] != new[new.count - 1 - $0]
            } ?? least - head
    }
}
