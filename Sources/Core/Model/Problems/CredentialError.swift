import Reasons

/// Why credentials cannot be used, and what to do about it.
package typealias CredentialError = CodedError<CredentialReason>
