import Reasons

/// Why a server that a template or a webhook names is not called, or did not take the call.
package enum ContentCallReason: String, ReasonCode {
    package static let family = ReasonFamily.call

    case addressHost = "the address '{address}' has no host that can be called"
    case addressPassword =
        "the address '{address}' holds a name and password; use :basic_auth"
    case addressPort = "the address '{address}' has a port that is no number"
    case addressScheme = "the address '{address}' does not begin with http:// or https://"
    case answered = "answered {status}"
    case certificateName = "the server's certificate is not for {host}"
    case failed = "the call failed: {reason}"
    case headerControl = "the header '{name}' holds a control code"
    case headerOwn = "the header '{name}' cannot be set"
    case hostAnswered = "{host} answered {status}"
    case mayNotBeCalled = "may not be called: {reason}"
    case method = "the method '{method}' is not allowed"
    case noAnswer = "did not answer"
    case noAnswerWithin = "no answer within {time}"
    case noCallInReview = "no call is made for a review"
    case noCredentials = "there are no credentials named '{name}'"
    case noHostAddress = "{host} has no address"
    /// What an earlier version has stored.
    case noted = "{text}"
    case notPublic = "{host} is not in the public network; see the setting {setting}"
    case notPublicAddress =
        "{host} is not in the public network: {network}; see the setting {setting}"
    case port = "port {port} is neither 80 nor 443; see the setting {setting}"
    case tooLarge = "an answer of more than {count} bytes"
    case tooManyWaiting = "too many calls to {host} are waiting"
    case unreachable = "cannot be reached: {reason}"

    // Kinds of networks that are not public.
    case networkCarrier = "shared by a carrier"
    case networkCloud = "a cloud's own"
    case networkDisguised = "an IPv4 address in disguise"
    case networkDocumentation = "for documentation"
    case networkLinkLocal = "link-local"
    case networkMeasurements = "for measurements"
    case networkMulticast = "multicast"
    case networkOther = "not public"
    case networkPrivate = "private"
    case networkReserved = "reserved"
    case networkThisMachine = "this machine"
}
