/// Whom a person chooses in a form: an ``Model/Audience`` in words.
package enum AudienceChoice: Sendable, Hashable {
    case everyone
    /// One user by external id. For an audience of several users, which a form cannot express,
    /// their names.
    case user(externalID: String)
    /// A saved segment.
    case segment(id: Int64, name: String)
    /// An unsaved filter in the segment language.
    case filter(String)
}
