/// A rule together with its location in the text.
package struct RuleWithSource: Sendable, Hashable {
    package let rule: SegmentRule
    /// In Unicode scalars from the start of the text.
    package let range: Range<Int>
    package let children: [RuleWithSource]

    /// The range of the rule that a JSON pointer of `SegmentError` names, or of the closest
    /// enclosing rule.
    package func range(at pointer: String) -> Range<Int> {
        var located = self
        for part in pointer.split(separator: "/") {
            switch located.rule {
            case .not:
                guard part == "not", let only = located.children.first else {
                    return located.range
                }
                located = only
            case .all, .any:
                guard part != "and", part != "or" else { continue }
                guard let index = Int(part), located.children.indices.contains(index) else {
                    return located.range
                }
                located = located.children[index]
            default:
                return located.range
            }
        }
        return located.range
    }
}
