import Reasons

/// What can be wrong with a regular expression.
package enum PatternReason: String, ReasonCode {
    package static let family = ReasonFamily.pattern

    case anchorRepeated = "an anchor cannot be repeated"
    case atomicGroup = "atomic groups are not supported"
    case backReference = "back-references are not supported"
    case braceForm = "write “\\{” for a brace, or “{n}”, “{n,}”, “{n,m}”"
    case className = "unknown class name"
    case danglingBackslash = "a backslash at the end escapes nothing"
    case groupName = "the group's name is not closed"
    case hexForm = "write “\\x41” or “\\x{1F600}”"
    case length = "a pattern has at most {count} characters"
    case lookAround = "look-around is not supported"
    case nestedGroups = "the groups are nested too deeply"
    case noGroup = "there is no group to close here"
    case nothingToRepeat = "there is nothing to repeat before “{symbol}”"
    case openClass = "this class is never closed"
    case openGroup = "this group is never closed"
    case possessive = "possessive repetition is not supported"
    case rangeOrder = "this range is not in order"
    case repeatedRepetition = "a repetition is repeated"
    case repetitionLimit = "at most {count} repetitions"
    case repetitionOrder = "the second number is less than the first"
    case tooCostly = "matching this pattern takes too long; use fewer repetitions"
    case tooLarge = "the pattern is too large; use fewer repetitions"
    case unknownEscape = "unknown escape “\\{character}”"
    case unknownFlag = "unknown flag “{flag}”"
}
