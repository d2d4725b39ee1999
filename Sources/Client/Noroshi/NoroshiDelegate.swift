import Foundation
import NoroshiOutbox
import NoroshiWire

/// Takes part in what the SDK does, on the main actor. All methods have defaults.
@MainActor
public protocol NoroshiDelegate: AnyObject, Sendable {
    /// Whether the SDK shall open the address of a message; `false` if the app has dealt with it.
    func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool

    /// The server will never store these records; the SDK has deleted them.
    func noroshi(_ noroshi: Noroshi, didDrop records: [NoroshiRefusal])
}

extension NoroshiDelegate {
    /// The SDK opens every address itself.
    public func noroshi(_ noroshi: Noroshi, shouldOpenURL context: NoroshiURLContext) -> Bool {
        true
    }

    /// Nothing is done with refused records.
    public func noroshi(_ noroshi: Noroshi, didDrop records: [NoroshiRefusal]) {}
}

/// Hears of refused signed tokens, on the main actor, where SDK authentication is used.
@MainActor
public protocol NoroshiSDKAuthDelegate: AnyObject, Sendable {
    /// The server refuses the user's signed token. Fetch a new one and give it to
    /// `set(sdkAuthenticationSignature:)`; until then nothing is sent and nothing is lost.
    func noroshi(
        _ noroshi: Noroshi,
        sdkAuthenticationFailedWithError error: NoroshiSDKAuthenticationError
    )
}

/// A record that the server refuses for good.
public struct NoroshiRefusal: Sendable, Equatable {
    /// The id that the recording call returned.
    public var id: UUID
    /// The field at fault.
    public var field: String
    /// What is wrong.
    public var message: String
}

/// Why the server refuses a user's signed token.
public struct NoroshiSDKAuthenticationError: Error, Sendable, Equatable {
    /// The reason as a number, such as 22.
    public var code: Int
    /// The reason as a word, such as `EXPIRED`.
    public var reason: String
    /// The user the token is for.
    public var userId: String?
    /// The token that was refused; `nil` if there was none.
    public var signature: String?
}

/// The delegates, which the app owns.
struct Delegates {
    weak var delegate: (any NoroshiDelegate)?
    weak var authentication: (any NoroshiSDKAuthDelegate)?
}

extension Noroshi {
    /// Takes part in what the SDK does; not retained.
    public var delegate: (any NoroshiDelegate)? {
        get { delegates.withLock { $0.delegate } }
        set { delegates.withLock { $0.delegate = newValue } }
    }

    /// Hears of refused signed tokens; not retained.
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
