import Foundation
import NoroshiOutbox
import NoroshiWire

/// An effect that a pattern requests and `NoroshiExtensionContext.perform` carries out.
public enum NoroshiPatternEffect: Sendable, Equatable {
    /// Record an event.
    case event(name: String, properties: [String: JSONValue])
    /// Set the e-mail address of the user's profile.
    case email(String)
    /// Set the phone number of the user's profile.
    case phoneNumber(String)
    /// Set a custom attribute of the user's profile.
    case attribute(key: String, value: JSONValue)
    /// Remember that this page of a push story, from 1, was tapped, for the app that opens next.
    case storyPage(Int, dispatch: UUID)
    /// Close the notification or leave it open.
    case respond(NoroshiContentResponse)
}

extension NoroshiPatternEffect {
    /// The response to the notification in `effects`; `nil` if they contain none.
    package static func response(of effects: [NoroshiPatternEffect]) -> NoroshiContentResponse? {
        effects.reduce(nil) { answer, effect in
            if case .respond(let response) = effect { response } else { answer }
        }
    }
}

extension NoroshiExtensionContext {
    /// Performs the effects of a pattern, except for closing the notification, which is returned.
    /// - Returns: The response to the notification; `nil` if the effects contain none.
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
            case .storyPage(let page, let dispatch):
                recorder.setStoryPage(page, of: dispatch)
            case .respond(let response):
                answer = response
            }
        }
        return answer
    }
}
