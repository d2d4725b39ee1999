/// The words of the text form that parser and writer share.
enum SegmentKeywords {
    /// Words that cannot start an attribute's short name; such attributes are written
    /// `custom.event`.
    static let reserved: Set<String> = [
        "and", "or", "not", "in", "everyone", "nobody", "event", "purchase", "session", "campaign",
        "device", "custom", "true", "false", "now", "today",
    ]

    /// Unit names, in seconds, with the longest first.
    static let units: [(name: String, seconds: Int64)] = [
        ("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1),
    ]

    static func secondsPerUnit(_ word: String) -> Int64? {
        if word == "week" || word == "weeks" { return 7 * 86_400 }
        return units.first { $0.name == word || $0.name.dropLast() == word }?.seconds
    }

    /// Whether a custom attribute can be written without the prefix `custom.`.
    static func isShortName(_ name: String) -> Bool {
        SegmentLexer.isWord(name) && !reserved.contains(name)
            && StandardAttribute(rawValue: name) == nil
    }
}
