import Foundation
import NoroshiWire

/// Stores records and schedules their sending: the common core of app and extensions.
package final class Recorder: Sendable {
    package let configuration: NoroshiConfiguration
    package let dependencies: NoroshiDependencies
    package let store: InstallationStore
    package let uploader: Uploader
    private let listeners: Locked<[@Sendable (Uploader.Event) -> Void]>

    /// A recorder for the app, or for an extension, which transfers its earlier records without
    /// changing the app's identity.
    package init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies,
        isExtension: Bool = false
    ) {
        self.configuration = configuration
        self.dependencies = dependencies
        let listeners = Locked<[@Sendable (Uploader.Event) -> Void]>([])
        self.listeners = listeners
        store = InstallationStore(
            directory: InstallationFolder.url(for: configuration, dependencies),
            maximumBytes: configuration.storage.maximumBytes,
            makeID: dependencies.makeID
        )
        uploader = Uploader(
            configuration: configuration,
            dependencies: dependencies,
            store: store,
            report: { event in
                for listener in listeners.withLock({ $0 }) { listener(event) }
            }
        )
        adoptPrivateFolder(isExtension: isExtension)
    }

    /// Calls `listener` with every event of the uploader.
    package func listen(_ listener: @escaping @Sendable (Uploader.Event) -> Void) {
        listeners.withLock { $0.append(listener) }
    }

    package var logger: NoroshiLogger { configuration.logger }

    /// Records `content` for the current user. When this returns success, the record survives the
    /// death of the process. `urgent` records are sent at once under the automatic policy.
    @discardableResult
    package func record(
        _ content: SDKRecord.Content,
        urgent: Bool = false
    ) -> Result<UUID, NoroshiError> {
        let id = dependencies.makeID()
        return transaction(urgent: urgent) { access in
            try access.append(content, id: id, time: self.dependencies.now())
            return id
        }
    }

    /// Runs `body` under the container's lock unless the SDK is disabled, and schedules sending.
    package func transaction<Value>(
        urgent: Bool = false,
        _ body: (inout InstallationStore.Access) throws -> Value
    ) -> Result<Value, NoroshiError> {
        let result: Result<Value, NoroshiError> = perform { access in
            guard access.state.isEnabled else {
                throw NoroshiError(
                    code: .disabled,
                    message: "the SDK is switched off; set `enabled` to true"
                )
            }
            let value = try body(&access)
            access.state.session?.touch(at: dependencies.now())
            return value
        }
        if case .success = result { planSending(urgent: urgent) }
        return result
    }

    /// Runs `body` under the container's lock, whether the SDK is enabled or not.
    package func perform<Value>(
        _ body: (inout InstallationStore.Access) throws -> Value
    ) -> Result<Value, NoroshiError> {
        do {
            return .success(try store.access(body))
        } catch let error as NoroshiError {
            logger.log(.error, error.description)
            return .failure(error)
        } catch {
            let failure = NoroshiError(code: .storage, message: "\(error)")
            logger.log(.error, failure.description)
            return .failure(failure)
        }
    }

    /// Logs and returns an input error.
    package func refuse<Value>(_ error: NoroshiError) -> Result<Value, NoroshiError> {
        logger.log(.error, "not recorded: \(error)")
        return .failure(error)
    }

    /// The current state; `nil` only if the file system fails, which is logged.
    package var state: InstallationState? {
        if case .success(let state) = perform({ $0.state }) { state } else { nil }
    }

    /// Schedules the next request under the automatic policy.
    package func planSending(urgent: Bool) {
        guard configuration.api.requestPolicy == .automatic else { return }
        let wasPlanned = uploader.isPlanned.withLock { isPlanned in
            defer { isPlanned = true }
            return isPlanned
        }
        guard urgent || !wasPlanned else { return }
        let delay = urgent ? 0 : configuration.api.flushInterval
        Task { await uploader.schedule(after: delay) }
    }
}
