/// A condition on one device of the user.
package indirect enum DeviceRule: Sendable, Hashable {
    case all([DeviceRule])
    case any([DeviceRule])
    case not(DeviceRule)
    case field(DeviceField, ValueTest)
}

/// A field of a device.
package enum DeviceField: String, Sendable, Hashable, CaseIterable {
    case platform
    case app
    case appVersion = "app_version"
    case model
    case osVersion = "os_version"
    case environment
    case locale
    case hasToken = "has_token"
    case isPushEnabled = "push_enabled"
    case isProvisional = "provisional"

    package var isBool: Bool {
        self == .hasToken || self == .isPushEnabled || self == .isProvisional
    }
}
