import Foundation
import NoroshiOutbox
import NoroshiWire

/// The calls that the page of an HTML message can make to the SDK.
///
/// The script, `Clients/web/bridge.js`, defines `window.noroshiBridge`, with the methods that pages
/// written for Braze's bridge call, and the aliases `brazeBridge` and `appboyBridge`.
enum InAppMessageBridge {
    /// The name of the message handler that the script posts to.
    static let handlerName = "noroshi"

    /// The effect of a call on the message.
    enum Outcome: Sendable, Equatable {
        case stays
        case closes
    }

    /// A call, as the script posts it: JSON, so that 1 is not read as `true`.
    struct Call: Decodable {
        var method: String
        var arguments: [JSONValue]

        /// The argument at `index`; `null` and a missing one are the same.
        func value(_ index: Int) -> JSONValue? {
            guard arguments.indices.contains(index), arguments[index] != .null else { return nil }
            return arguments[index]
        }

        func text(_ index: Int) -> String? {
            switch value(index) {
            case .string(let text): text
            case .integer(let number): String(number)
            default: nil
            }
        }

        func number(_ index: Int) -> Double? {
            switch value(index) {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }

        func object(_ index: Int) -> [String: JSONValue] {
            guard case .object(let members) = value(index) else { return [:] }
            return members
        }
    }
}

extension NoroshiInAppMessageContext {
    /// The script that gives the page of an HTML message its bridge; it runs before the page's own
    /// scripts and posts to the message handler ``bridgeHandlerName``.
    public static var bridgeScript: String { MessageBridgeScript.source }

    /// The name of the message handler that the bridge's script posts to.
    public static var bridgeHandlerName: String { InAppMessageBridge.handlerName }

    /// Performs a call from the page of an HTML message.
    /// - Parameter text: The text that the bridge's script has posted.
    /// - Returns: Whether the page wants the message closed. A call that is unknown or lacks an
    ///   argument is logged and has no effect.
    public func handleBridgeMessage(_ text: String) -> Bool {
        guard
            let call = try? JSONDecoder().decode(
                InAppMessageBridge.Call.self,
                from: Data(text.utf8)
            )
        else {
            recorder.logger.log(.error, "an HTML message has posted what is no call")
            return false
        }
        let outcome =
            call.method.hasPrefix("user.")
            ? performOnUser(call) : performOnMessage(call)
        guard let outcome else {
            recorder.logger.log(.error, "\(call.method) of an HTML message lacks an argument")
            return false
        }
        return outcome == .closes
    }

    private func performOnMessage(_ call: InAppMessageBridge.Call) -> InAppMessageBridge.Outcome? {
        guard let noroshi = owner() else { return .closes }
        switch call.method {
        case "closeMessage": return .closes
        case "requestImmediateDataFlush": noroshi.requestImmediateDataFlush()
        case "logClick": logClick(buttonId: call.text(0))
        case "logCustomEvent":
            guard let name = call.text(0) else { return nil }
            noroshi.logCustomEvent(name: name, properties: call.object(1))
        case "logPurchase":
            guard let product = call.text(0), let price = call.number(1) else { return nil }
            noroshi.logPurchase(
                productId: product,
                currency: call.text(2) ?? "USD",
                price: price,
                quantity: Int(exactly: call.number(3) ?? 1) ?? 1,
                properties: call.object(4)
            )
        case "changeUser":
            guard let user = call.text(0) else { return nil }
            noroshi.changeUser(userId: user, signature: call.text(1))
        case "requestPushPermission": requestPushPermission()
        default: return nil
        }
        return .stays
    }

    private func performOnUser(_ call: InAppMessageBridge.Call) -> InAppMessageBridge.Outcome? {
        let user = NoroshiUser(recorder: recorder)
        switch call.method.dropFirst("user.".count) {
        case "setFirstName": user.set(firstName: call.text(0))
        case "setLastName": user.set(lastName: call.text(0))
        case "setEmail": user.set(email: call.text(0))
        case "setCountry": user.set(country: call.text(0))
        case "setHomeCity": user.set(homeCity: call.text(0))
        case "setLanguage": user.set(language: call.text(0))
        case "setPhoneNumber": user.set(phoneNumber: call.text(0))
        case "setGender":
            user.set(gender: call.text(0).flatMap(NoroshiGender.init(code:)))
        case "setDateOfBirth":
            guard let date = Self.day(call) else { return nil }
            user.set(dateOfBirth: date)
        case "setEmailNotificationSubscriptionType":
            guard let state = NoroshiSubscriptionState(rawValue: call.text(0) ?? "") else {
                return nil
            }
            user.set(emailSubscriptionState: state)
        case "setPushNotificationSubscriptionType":
            guard let state = NoroshiSubscriptionState(rawValue: call.text(0) ?? "") else {
                return nil
            }
            user.set(pushNotificationSubscriptionState: state)
        default:
            return performOnAttribute(call, of: user)
        }
        return .stays
    }

    private func performOnAttribute(
        _ call: InAppMessageBridge.Call,
        of user: NoroshiUser
    ) -> InAppMessageBridge.Outcome? {
        guard let key = call.text(0) else { return nil }
        switch call.method.dropFirst("user.".count) {
        case "addAlias":
            guard let label = call.text(1) else { return nil }
            user.add(alias: key, label: label)
        case "setCustomUserAttribute":
            user.setCustomAttribute(key: key, anyValue: call.value(1))
        case "incrementCustomUserAttribute":
            user.incrementCustomUserAttribute(
                key: key,
                by: Int(exactly: call.number(1) ?? 1) ?? 1
            )
        case "addToCustomAttributeArray":
            guard let value = call.text(1) else { return nil }
            user.addToCustomAttributeStringArray(key: key, value: value)
        case "removeFromCustomAttributeArray":
            guard let value = call.text(1) else { return nil }
            user.removeFromCustomAttributeStringArray(key: key, value: value)
        case "setCustomLocationAttribute":
            guard let latitude = call.number(1), let longitude = call.number(2) else { return nil }
            user.setCustomAttribute(
                key: key,
                dictionary: ["latitude": latitude, "longitude": longitude]
            )
        case "addToSubscriptionGroup": user.addToSubscriptionGroup(id: key)
        case "removeFromSubscriptionGroup": user.removeFromSubscriptionGroup(id: key)
        default: return nil
        }
        return .stays
    }

    /// Year, month (1 to 12) and day; `nil` unless the three form a valid date.
    private static func day(_ call: InAppMessageBridge.Call) -> Date? {
        guard let year = call.number(0), let month = call.number(1), let day = call.number(2),
            let year = Int(exactly: year), let month = Int(exactly: month),
            let day = Int(exactly: day)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        // `TimeZone.gmt` would need iOS 16.
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        let components = DateComponents(year: year, month: month, day: day)
        guard components.isValidDate(in: calendar) else { return nil }
        return calendar.date(from: components)
    }
}
