import Reasons

/// What is wrong with a provider of OpenID Connect or with what it says, for those who set it up.
package enum OpenIDReason: String, ReasonCode {
    package static let family = ReasonFamily.openID

    case algorithm = "the ID token is signed with {algorithm}; only RS256 and ES256 are taken"
    case answered = "{address} answered {status}"
    case audience = "the ID token is for {audience}, not for this client"
    case authorizedParty = "the ID token was issued to the client {client}, not to this one"
    case clientAuthentication =
        "the provider takes neither client_secret_basic nor client_secret_post"
    case early = "the ID token is not valid yet; compare the clocks of both servers"
    case expired = "the ID token has expired; compare the clocks of both servers"
    case insecure = "{address} does not begin with https://"
    case issuer = "the provider calls itself {issuer}, not {expected}"
    case keyUnknown = "the provider has published no key '{key}' for {algorithm}"
    case missing = "{name} is missing in what the provider says"
    case noAlgorithm = "the provider signs ID tokens with neither RS256 nor ES256"
    case noCodeFlow = "the provider does not offer the response type 'code'"
    case noKeys = "the provider has published no key for RS256 or ES256"
    case noPKCE = "the provider does not offer the code challenge method S256"
    case nonce = "the ID token belongs to another sign-in: its nonce differs"
    case notJSON = "{address} answered with something other than the expected JSON"
    case otherSubject = "the user info is about another person than the ID token"
    case providerError = "the provider answered: {error}"
    case secret = "the stored client secret cannot be read: {reason}"
    case signature = "the signature of the ID token is wrong"
    case tokenMalformed = "the ID token is no signed JWT"
    case unreachable = "{address} cannot be called: {reason}"
}

/// Why a sign-in at a provider is refused for technical reasons.
package typealias OpenIDError = CodedError<OpenIDReason>
