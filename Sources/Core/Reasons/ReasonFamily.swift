/// A type of codes, by its name in keys of words.
package enum ReasonFamily: String, Sendable, CaseIterable {
    case liquid, message, pattern, segment
}
