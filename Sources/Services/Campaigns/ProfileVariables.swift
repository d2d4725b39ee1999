import Foundation
import Liquid
import Model
import NoroshiWire

/// The variables of a message's templates: the user, the device and the send.
///
/// Every lookup reads one value; nothing is copied for a template that does not use it.
package struct ProfileVariables: LiquidVariables {
    private let profile: Profile?
    private let device: Device?
    private let app: App?
    private let send: SendContent?
    private let dispatch: DispatchID?
    private let variant: Int?
    private let properties: MessageProperties
    /// A language to show instead of the user's.
    private let shownLanguage: String?

    package init(
        profile: Profile?,
        device: Device? = nil,
        app: App? = nil,
        send: SendContent? = nil,
        dispatch: DispatchID? = nil,
        variant: Int? = nil,
        properties: MessageProperties = MessageProperties(),
        language: String? = nil
    ) {
        shownLanguage = language
        self.profile = profile
        self.device = device
        self.app = app
        self.send = send
        self.dispatch = dispatch
        self.variant = variant
        self.properties = properties
    }

    /// The user's language, or that of the device.
    package var language: String? {
        shownLanguage ?? profile?.standard[.language]?.stringValue
            ?? (device?.locale).flatMap { DeviceLocale($0).language }
    }

    package func value(named name: LiquidName) -> LiquidValue? { nil }

    package func attribute(named name: LiquidName) -> LiquidValue? {
        switch name.text {
        case "user_id": return profile?.externalID.map(LiquidValue.string)
        case "braze_id": return (profile?.publicID.uuidString.lowercased()).map(LiquidValue.string)
        case "email_address": return standard(.email)
        case "phone_number": return standard(.phone)
        case "date_of_birth": return standard(.dateOfBirth)
        case "city": return standard(.homeCity)
        case "most_recent_app_version": return (device?.appVersion).map(LiquidValue.string)
        case "most_recent_locale": return (device?.locale).map(LiquidValue.string)
        case "last_used_app_date":
            return (profile?.lastSessionAt).map { .string(Timestamp.format($0)) }
        case "time_zone":
            return standard(.timeZone) ?? (device?.timeZone).map(LiquidValue.string)
        case "language": return language.map(LiquidValue.string)
        case "country":
            return standard(.country)
                ?? (device?.locale).flatMap { DeviceLocale($0).country }.map(LiquidValue.string)
        default:
            return StandardAttribute(rawValue: name.text).flatMap(standard)
        }
    }

    private func eventProperty(_ name: String) -> JSONValue? {
        properties.event[name] ?? send?.eventProperties?[name]
    }

    package func member(named name: LiquidName, of group: LiquidName) -> LiquidValue? {
        switch group.text {
        case "custom_attribute":
            return (profile?.custom[name.text]).map(LiquidValue.init(json:))
        case "api_trigger_properties":
            return (properties.trigger[name.text] ?? send?.triggerProperties[name.text])
                .map(LiquidValue.init(json:))
        case "event_properties":
            return eventProperty(name.text).map(LiquidValue.init(json:))
        case "canvas_entry_properties", "context":
            let brought = properties.trigger[name.text] ?? send?.triggerProperties[name.text]
            return (brought ?? eventProperty(name.text)).map(LiquidValue.init(json:))
        case "targeted_device", "most_recently_used_device":
            return deviceMember(name.text)
        case "app":
            return name.text == "name" ? (app?.name).map(LiquidValue.string) : nil
        case "campaign":
            return campaignMember(name.text)
        case "subscribed_state":
            return name.text == "email_global" ? standard(.emailSubscription) : nil
        default:
            return nil
        }
    }

    private func standard(_ attribute: StandardAttribute) -> LiquidValue? {
        (profile?.standard[attribute]).map(LiquidValue.init(json:))
    }

    private func campaignMember(_ name: String) -> LiquidValue? {
        let message = variant.flatMap { send?.launch?.content.variant(numbered: $0) }
        return switch name {
        case "dispatch_id": dispatch.map { .string("\($0)") }
        case "name": (send?.launch?.content.name).map(LiquidValue.string)
        case "api_id": (send?.launch?.apiID.uuidString.lowercased()).map(LiquidValue.string)
        case "message_name": (message?.name).map(LiquidValue.string)
        case "message_api_id":
            (message?.apiID.uuidString.lowercased()).map(LiquidValue.string)
        default: nil
        }
    }

    private func deviceMember(_ name: String) -> LiquidValue? {
        switch name {
        case "id": (device?.installation.uuidString.lowercased()).map(LiquidValue.string)
        case "platform": (device?.platform).map(LiquidValue.string)
        case "model": (device?.model).map(LiquidValue.string)
        case "os": (device?.osVersion).map(LiquidValue.string)
        case "foreground_push_enabled": (device?.push).map { _ in .bool(true) }
        default: nil
        }
    }
}

extension LiquidValue {
    package init(json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .int(Int(value))
        case .number(let value): self = .float(value)
        case .string(let value): self = .string(value)
        case .array(let elements): self = .array(elements.map(LiquidValue.init(json:)))
        case .object(let members):
            self = .object(LiquidObject(members.mapValues(LiquidValue.init(json:))))
        }
    }
}
