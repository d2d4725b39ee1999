#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import UserNotifications

/// The notification service extension of an app: it records that a push has arrived and attaches
/// its image.
///
/// ```swift
/// final class NotificationService: NoroshiNotificationService {
///     override var configuration: NoroshiConfiguration? { .mine }
/// }
/// ```
/// The content handler is called exactly once and in time: the image may take 20 of the 30 seconds
/// that the system gives, the receipt one and a half beyond that at most.
open class NoroshiNotificationService: UNNotificationServiceExtension {
    /// Seconds that a download may take.
    private static let downloadTimeout: TimeInterval = 20
    /// Seconds that the notification waits for the receipt; an unsent one waits in the outbox.
    private static let receiptTimeout: TimeInterval = 1.5

    private let deliveries = Locked<[ServiceDelivery]>([])

    /// The app's configuration with its App Group; without one, notifications pass unchanged.
    open var configuration: NoroshiConfiguration? { nil }

    /// What the extension takes from the outside; replaced in tests.
    open var dependencies: NoroshiDependencies { NoroshiDependencies() }

    /// Changes a notification of Noroshi's before it is shown, with the image attached already;
    /// `extras` are its key-value pairs. Nothing at first.
    open func prepare(
        _ content: UNMutableNotificationContent,
        extras: [String: JSONValue],
        context: NoroshiExtensionContext
    ) {}

    /// Records the receipt, attaches the picture and hands the content over, in time.
    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard
            let configuration,
            let payload = PushPayload(userInfo: request.content.userInfo),
            let content = request.content.mutableCopy() as? UNMutableNotificationContent
        else {
            contentHandler(request.content)
            return
        }
        let context = NoroshiExtensionContext(
            configuration: configuration,
            dependencies: dependencies
        )
        _ = context.recorder.recordInteraction(.received, with: payload)
        let delivery = ServiceDelivery(content: content, handler: contentHandler) { content in
            self.prepare(content, extras: payload.values, context: context)
        }
        deliveries.withLock { $0.append(delivery) }
        Self.start(delivery, payload: payload, context: context, deliveries: deliveries)
    }

    private static func start(
        _ delivery: ServiceDelivery,
        payload: PushPayload,
        context: NoroshiExtensionContext,
        deliveries: Locked<[ServiceDelivery]>
    ) {
        Task {
            await work(on: delivery, payload: payload, context: context)
            deliveries.withLock { deliveries in deliveries.removeAll { $0 === delivery } }
        }
    }

    /// Sends the receipt and fetches the image side by side, then hands the notification on.
    private static func work(
        on delivery: ServiceDelivery,
        payload: PushPayload,
        context: NoroshiExtensionContext
    ) async {
        async let receipt = context.flush(within: receiptTimeout)
        if let attachment = payload.attachment {
            do {
                delivery.attach(
                    try await AttachmentLoader.live.load(
                        attachment,
                        into: FileManager.default.temporaryDirectory
                            .appendingPathComponent("Noroshi", isDirectory: true),
                        timeout: downloadTimeout
                    )
                )
            } catch {
                // The text matters more than the picture.
                context.recorder.logger.log(.error, "nothing is attached: \(error)")
            }
        }
        _ = await receipt
        delivery.finish()
    }

    /// Hands over what there is, because the system waits no longer.
    open override func serviceExtensionTimeWillExpire() {
        let unfinished = deliveries.withLock { deliveries in
            defer { deliveries = [] }
            return deliveries
        }
        for delivery in unfinished { delivery.finish() }
    }
}

/// A notification on its way through the extension: it reaches the system once, whoever comes
/// first, the finished work or the end of the time.
private final class ServiceDelivery: @unchecked Sendable {
    // `@unchecked` holds because content and handler are touched only between `lock` and `unlock`,
    // and the content once more by the one caller that took the handler away.
    private let lock = NSLock()
    private let content: UNMutableNotificationContent
    private var handler: ((UNNotificationContent) -> Void)?
    private let prepare: (UNMutableNotificationContent) -> Void

    init(
        content: UNMutableNotificationContent,
        handler: @escaping (UNNotificationContent) -> Void,
        prepare: @escaping (UNMutableNotificationContent) -> Void
    ) {
        self.content = content
        self.handler = handler
        self.prepare = prepare
    }

    func attach(_ file: URL) {
        lock.lock()
        defer { lock.unlock() }
        guard handler != nil else { return }
        // A file of the wrong kind is left out; the text is shown all the same.
        if let attachment = try? UNNotificationAttachment(identifier: "", url: file, options: nil) {
            content.attachments.append(attachment)
        }
    }

    func finish() {
        lock.lock()
        let handler = handler
        self.handler = nil
        lock.unlock()
        // Outside the lock, for it is other people's code. Whoever took the handler is alone with
        // the content from now on: `attach` does nothing without one.
        guard let handler else { return }
        prepare(content)
        handler(content)
    }
}
#endif
