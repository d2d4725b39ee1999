/// An app installation of a user, with the fields for segments and delivery.
package struct AudienceDevice: Sendable, Hashable {
    package var platform: String
    package var app: String
    package var appVersion: String?
    package var model: String?
    package var osVersion: String?
    package var environment: String?
    package var locale: String?
    /// Whether the device has a push token.
    package var hasToken: Bool
    /// Whether the user allowed visible notifications on this device.
    package var isPushEnabled: Bool
    /// Whether iOS granted quiet delivery only.
    package var isProvisional: Bool

    package init(
        platform: String,
        app: String,
        appVersion: String? = nil,
        model: String? = nil,
        osVersion: String? = nil,
        environment: String? = nil,
        locale: String? = nil,
        hasToken: Bool = false,
        isPushEnabled: Bool = false,
        isProvisional: Bool = false
    ) {
        self.platform = platform
        self.app = app
        self.appVersion = appVersion
        self.model = model
        self.osVersion = osVersion
        self.environment = environment
        self.locale = locale
        self.hasToken = hasToken
        self.isPushEnabled = isPushEnabled
        self.isProvisional = isProvisional
    }

    package func value(of field: DeviceField) -> AttributeValue? {
        switch field {
        case .platform: .string(platform)
        case .app: .string(app)
        case .appVersion: appVersion.map(AttributeValue.string)
        case .model: model.map(AttributeValue.string)
        case .osVersion: osVersion.map(AttributeValue.string)
        case .environment: environment.map(AttributeValue.string)
        case .locale: locale.map(AttributeValue.string)
        case .hasToken: .bool(hasToken)
        case .isPushEnabled: .bool(isPushEnabled)
        case .isProvisional: .bool(isProvisional)
        }
    }
}
