import Foundation
import NoroshiOutbox
import NoroshiWire

/// Takes part in the SDK's decisions, on the main actor. All methods have defaults.
@MainActor
public protocol NoroshiDelegate: AnyObject, Sendable {
    /// Whether the SDK should open the link of a message; `false` if the app has handled it.
    func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool

    /// Called when the server has rejected these records permanently; the SDK has deleted them.
    func noroshi(_ noroshi: Noroshi, didDrop records: [NoroshiRefusal])
}

extension NoroshiDelegate {
    /// By default the SDK opens every link itself.
    public func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool {
        true
    }

    /// By default rejected records are ignored.
    public func noroshi(_ noroshi: Noroshi, didDrop records: [NoroshiRefusal]) {}
}

/// Is notified of rejected signed tokens, on the main actor, if SDK authentication is used.
@MainActor
public protocol NoroshiSDKAuthDelegate: AnyObject, Sendable {
    /// Called when the server rejects the user's signed token. Fetch a new one and pass it to
    /// `set(sdkAuthenticationSignature:)`; until then nothing is sent and nothing is lost.
    func noroshi(
        _ noroshi: Noroshi,
        sdkAuthenticationFailedWithError error: NoroshiSDKAuthenticationError
    )
}

/// A record that the server has rejected permanently.
public struct NoroshiRefusal: Sendable, Equatable {
    /// The id that the recording call returned.
    public var id: UUID
    /// The invalid field.
    public var field: String
    /// The problem.
    public var message: String
}

/// The reason why the server rejects a user's signed token.
public struct NoroshiSDKAuthenticationError: Error, Sendable, Equatable {
    /// The reason as a number, such as 22.
    public var code: Int
    /// The reason as a code, such as `EXPIRED`.
    public var reason: String
    /// The user the token is for.
    public var userId: String?
    /// The rejected token; `nil` if there was none.
    public var signature: String?
}

/// The delegates, which the app owns.
struct Delegates {
    weak var delegate: (any NoroshiDelegate)?
    weak var authentication: (any NoroshiSDKAuthDelegate)?
}

extension Noroshi {
    /// Takes part in the SDK's decisions; not retained.
    public var delegate: (any NoroshiDelegate)? {
        get { delegates.withLock { $0.delegate } }
        set { delegates.withLock { $0.delegate = newValue } }
    }

    /// Is notified of rejected signed tokens; not retained.
    public var sdkAuthDelegate: (any NoroshiSDKAuthDelegate)? {
        get { delegates.withLock { $0.authentication } }
        set { delegates.withLock { $0.authentication = newValue } }
    }

    @MainActor
    func mayOpen(_ context: NoroshiURLContext) -> Bool {
        delegate?.noroshi(self, shouldOpenURL: context) ?? true
    }

    func heard(_ event: Uploader.Event) {
        switch event {
        case .acknowledged, .rejected:
            Task { await inAppMessages.serverHasAnswered(true, of: self) }
        case .signatureRefused:
            break
        }
        Task { @MainActor in tell(event) }
    }

    @MainActor
    private func tell(_ event: Uploader.Event) {
        switch event {
        case .acknowledged:
            break
        case .rejected(let rejections):
            delegate?.noroshi(
                self,
                didDrop: rejections.map {
                    NoroshiRefusal(id: $0.id, field: $0.field, message: $0.message)
                }
            )
        case .signatureRefused(let failure, let externalID, let signature):
            sdkAuthDelegate?.noroshi(
                self,
                sdkAuthenticationFailedWithError: NoroshiSDKAuthenticationError(
                    code: failure.code,
                    reason: failure.reason,
                    userId: externalID,
                    signature: signature
                )
            )
        }
    }
}
