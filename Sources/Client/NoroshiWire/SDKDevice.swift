import Foundation

/// The description that an installation sends with every batch; a missing value leaves the stored
/// one unchanged.
public struct SDKDevice: Sendable, Codable, Equatable {
    /// The id created at the first start of the installation.
    public var id: UUID
    /// `ios`, `macos`, `android`, `web` or `linux`.
    public var platform: String
    /// The hardware model, such as `iPhone17,1`.
    public var model: String?
    /// The version of the operating system, such as `18.2`.
    public var osVersion: String?
    /// The app's marketing version.
    public var appVersion: String?
    /// The version of this SDK.
    public var sdkVersion: String?
    /// The locale, such as `ja_JP`.
    public var locale: String?
    /// The IANA name of the time zone, such as `Asia/Tokyo`.
    public var timeZone: String?

    /// A description of the installation `id`.
    public init(
        id: UUID,
        platform: String,
        model: String? = nil,
        osVersion: String? = nil,
        appVersion: String? = nil,
        sdkVersion: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.id = id
        self.platform = platform
        self.model = model
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.sdkVersion = sdkVersion
        self.locale = locale
        self.timeZone = timeZone
    }

    enum CodingKeys: String, CodingKey {
        case id, platform, model, locale
        case osVersion = "os_version"
        case appVersion = "app_version"
        case sdkVersion = "sdk_version"
        case timeZone = "time_zone"
    }
}
