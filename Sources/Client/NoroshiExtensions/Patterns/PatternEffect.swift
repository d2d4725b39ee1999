import Foundation
import NoroshiOutbox
import NoroshiWire

/// What a pattern wants done. The machines decide; `NoroshiExtensionContext.perform` does it.
public enum NoroshiPatternEffect: Sendable, Equatable {
    /// Record an event.
    case event(name: String, properties: [String: JSONValue])
    /// Set the e-mail address of the user's profile.
    case email(String)
    /// Set the telephone number of the user's profile.
    case phoneNumber(String)
    /// Set a custom attribute of the user's profile.
    case attribute(key: String, value: JSONValue)
    /// Close the notification or leave it open.
    case respond(NoroshiContentResponse)
}

extension NoroshiPatternEffect {
    /// What becomes of the notification after `effects`; `nil` if they say nothing of it.
    package static func response(of effects: [NoroshiPatternEffect]) -> NoroshiContentResponse? {
        effects.reduce(nil) { answer, effect in
            if case .respond(let response) = effect { response } else { answer }
        }
    }
}

extension NoroshiExtensionContext {
    /// Does what a pattern wants done, except for closing the notification, which is the answer.
    /// - Returns: what becomes of the notification; `nil` if the pattern said nothing of it.
    @discardableResult
    public func perform(_ effects: [NoroshiPatternEffect]) -> NoroshiContentResponse? {
        var answer: NoroshiContentResponse?
        for effect in effects {
            switch effect {
            case .event(let name, let properties):
                logCustomEvent(name: name, properties: properties)
            case .email(let address):
                user.set(email: address)
            case .phoneNumber(let number):
                user.set(phoneNumber: number)
            case .attribute(let key, let value):
                user.setCustomAttribute(key: key, anyValue: value)
            case .respond(let response):
                answer = response
            }
        }
        return answer
    }
}
