/// The result of trying credentials against a provider.
package enum PushCredentialTest: Sendable, Hashable {
    /// The provider takes the credentials for this app.
    case works
    /// The provider, or this server before asking it, refuses them.
    case refused(reason: String, advice: String)
    /// No answer: nothing is known about the credentials.
    case unanswered(reason: String)
}
