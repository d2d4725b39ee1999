import Foundation
import NoroshiOutbox
import NoroshiWire

/// What an extension may do: record for the current user and send at once when there is time.
///
/// Records lie in the App Group's container that `configuration.push.appGroup` names, where the
/// app finds those that could not be sent from here.
public struct NoroshiExtensionContext: Sendable {
    package let recorder: Recorder

    /// A context for `configuration`, which has to be the app's own, with an App Group.
    public init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies = NoroshiDependencies()
    ) {
        var configuration = configuration
        // Nothing is sent behind the back of an extension that lives for seconds.
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

    /// Records an event whose properties the compiler has checked.
    @discardableResult
    public func log(_ event: some NoroshiEvent) -> Result<UUID, NoroshiError> {
        recorder.logEvent(event)
    }

    /// Sends what waits, for at most `seconds`; what is left is sent when the app starts next.
    /// - Returns: whether everything was sent.
    @discardableResult
    public func flush(within seconds: TimeInterval) async -> Bool {
        let activity = ExpiringActivity { [uploader = recorder.uploader] in uploader.cancel() }
        defer { activity.end() }
        return await recorder.flush(within: seconds)
    }
}
