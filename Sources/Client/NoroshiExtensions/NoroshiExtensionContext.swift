import Foundation
@_spi(Testing) import NoroshiOutbox
import NoroshiWire

/// The SDK's functions for an extension: records for the current user and sends immediately while
/// there is time.
///
/// Records are stored in the App Group's container that `configuration.push.appGroup` names, where
/// the app finds those that could not be sent from here.
public struct NoroshiExtensionContext: Sendable {
    package let recorder: Recorder

    /// A context for `configuration`, which must be the app's own, with an App Group.
    public init(configuration: NoroshiConfiguration) {
        self.init(configuration: configuration, dependencies: NoroshiDependencies())
    }

    /// A context with a clock, network and device of a test.
    @_spi(Testing) public init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies
    ) {
        var configuration = configuration
        // An extension lives for seconds, so nothing is sent in the background.
        configuration.api.requestPolicy = .manual
        recorder = Recorder(
            configuration: configuration,
            dependencies: dependencies,
            isExtension: true
        )
    }

    /// The current user of the app.
    public var user: NoroshiUser { NoroshiUser(recorder: recorder) }

    /// Records an event, as the app's `logCustomEvent(name:properties:)` does.
    @discardableResult
    public func logCustomEvent(
        name: String,
        properties: [AnyHashable: Any]? = nil
    ) -> Result<UUID, NoroshiError> {
        recorder.logEvent(name: name, properties: properties)
    }

    /// Records an event with properties that the compiler has checked.
    @discardableResult
    public func log(_ event: some NoroshiEvent) -> Result<UUID, NoroshiError> {
        recorder.logEvent(event)
    }

    /// Sends waiting records, for at most `seconds`; the rest is sent at the next start of the app.
    /// - Returns: Whether everything was sent.
    @discardableResult
    public func flush(within seconds: TimeInterval) async -> Bool {
        let activity = ExpiringActivity { [uploader = recorder.uploader] in uploader.cancel() }
        defer { activity.end() }
        return await recorder.flush(within: seconds)
    }
}
