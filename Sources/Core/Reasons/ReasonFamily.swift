/// A type of codes, by its name in keys of words.
package enum ReasonFamily: String, Sendable, CaseIterable {
    case audience, credential, field, liquid, message, pattern, refusal, segment
}
