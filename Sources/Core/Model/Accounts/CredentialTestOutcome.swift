/// The result of testing credentials with a provider.
package enum CredentialTestOutcome: Sendable, Hashable {
    /// The provider accepts the credentials for this app.
    case works
    /// The provider, or this server before contacting it, rejects the credentials.
    case refused(reason: String, advice: String)
    /// The provider did not respond, so the validity is unknown.
    case unanswered(reason: String)
}
