import Foundation
import NoroshiWire

/// The SDK's external dependencies; replaced in tests and on virtual phones, which import this with
/// `@_spi(Testing)`. An app has no use for it.
@_spi(Testing) public struct NoroshiDependencies: Sendable {
    /// The current time.
    public var now: @Sendable () -> Date
    /// Waits for a number of seconds; throws when the task is cancelled.
    public var sleep: @Sendable (TimeInterval) async throws -> Void
    /// A new id. The default makes UUIDs of version 7, which sort by the time of their making.
    public var makeID: @Sendable () -> UUID
    /// A random number between 0 and 1, which spreads retries.
    public var random: @Sendable () -> Double
    /// Carries requests to the server.
    public var transport: any NoroshiTransport
    /// Describes the hardware and system.
    public var device: NoroshiDevice
    /// The container of an App Group; `nil` if the app is not a member.
    package var groupContainer: @Sendable (_ group: String) -> URL? = { group in
        #if canImport(Darwin)
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        #else
        nil
        #endif
    }
    /// The container of this process alone.
    package var privateContainer: @Sendable () -> URL = {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
    }

    /// Dependencies on the real clock, network and device, each of which can be replaced. New ids are
    /// UUIDs of version 7 with times from `now`, unless `makeID` makes others.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (TimeInterval) async throws -> Void = { seconds in
            try await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
        },
        makeID: (@Sendable () -> UUID)? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        transport: any NoroshiTransport = URLSessionTransport(),
        device: NoroshiDevice = .current
    ) {
        self.now = now
        self.sleep = sleep
        let ids = TimeOrderedIDs(now: now)
        self.makeID = makeID ?? { ids.next() }
        self.random = random
        self.transport = transport
        self.device = device
    }
}

/// The hardware and system that the SDK runs on.
@_spi(Testing) public struct NoroshiDevice: Sendable, Equatable {
    /// `ios`, `macos`, `android` or `linux`.
    public var platform: String
    /// The hardware model, such as `iPhone17,1`.
    public var model: String?
    /// The version of the operating system, such as `18.2`.
    public var osVersion: String?
    /// The app's marketing version.
    public var appVersion: String?
    /// The locale, such as `ja_JP`.
    public var locale: String?
    /// The IANA name of the time zone.
    public var timeZone: String?

    /// A description of a device.
    public init(
        platform: String,
        model: String? = nil,
        osVersion: String? = nil,
        appVersion: String? = nil,
        locale: String? = nil,
        timeZone: String? = nil
    ) {
        self.platform = platform
        self.model = model
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The device that runs this code.
    public static var current: NoroshiDevice {
        #if os(macOS)
        let platform = "macos"
        #elseif canImport(Darwin)
        let platform = "ios"
        #elseif os(Android)
        let platform = "android"
        #else
        let platform = "linux"
        #endif
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return NoroshiDevice(
            platform: platform,
            model: hardwareModel(),
            osVersion: "\(version.majorVersion).\(version.minorVersion)",
            appVersion: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
            locale: Locale.current.identifier,
            timeZone: TimeZone.current.identifier
        )
    }
}
