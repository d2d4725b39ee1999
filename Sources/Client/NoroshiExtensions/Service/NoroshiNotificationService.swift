#if canImport(UserNotifications)
import Foundation
@_spi(Testing) import NoroshiOutbox
import UserNotifications

/// The notification service extension of an app: it records that a push has arrived and attaches
/// its image, or the pictures of a push story.
///
/// ```swift
/// final class NotificationService: NoroshiNotificationService {
///     override var configuration: NoroshiConfiguration? { .mine }
/// }
/// ```
/// The content handler is called exactly once and in time: the image may take 20 of the 30 seconds
/// that the system gives, the receipt one and a half beyond that at most.
open class NoroshiNotificationService: UNNotificationServiceExtension {
    /// Timeout of a download, in seconds.
    private static let downloadTimeout: TimeInterval = 20
    /// How long the notification waits for the receipt, in seconds; an unsent one stays in the
    /// outbox.
    private static let receiptTimeout: TimeInterval = 1.5

    private let deliveries = Locked<[ServiceDelivery]>([])

    /// The app's configuration with its App Group; without one, notifications pass unchanged.
    open var configuration: NoroshiConfiguration? { nil }

    /// The extension's external dependencies; replaced in tests.
    @_spi(Testing) open var dependencies: NoroshiDependencies { NoroshiDependencies() }

    /// Changes a notification of Noroshi before it is shown, after its image was attached; `extras`
    /// are its key-value pairs. Does nothing by default.
    open func prepare(
        _ content: UNMutableNotificationContent,
        extras: [String: JSONValue],
        context: NoroshiExtensionContext
    ) {}

    /// Records the receipt, attaches the image and delivers the content in time.
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

    /// Sends the receipt and downloads the images concurrently, then delivers the notification.
    private static func work(
        on delivery: ServiceDelivery,
        payload: PushPayload,
        context: NoroshiExtensionContext
    ) async {
        async let receipt = context.flush(within: receiptTimeout)
        await withTaskGroup(of: Void.self) { group in
            if let attachment = payload.attachment {
                group.addTask { await load(attachment, page: 0, for: delivery, context: context) }
            }
            for (index, page) in payload.story.enumerated() {
                guard let image = page.image else { continue }
                let attachment = PushPayload.Attachment(url: image, type: nil)
                group.addTask {
                    await load(attachment, page: index + 1, for: delivery, context: context)
                }
            }
        }
        _ = await receipt
        delivery.finish()
    }

    /// Downloads a file and attaches it, for a page of a story or, with 0, for the notification.
    private static func load(
        _ attachment: PushPayload.Attachment,
        page: Int,
        for delivery: ServiceDelivery,
        context: NoroshiExtensionContext
    ) async {
        do {
            let file = try await AttachmentLoader.live.load(
                attachment,
                into: FileManager.default.temporaryDirectory
                    .appendingPathComponent("Noroshi", isDirectory: true),
                timeout: downloadTimeout
            )
            delivery.attach(file, page: page)
        } catch {
            // The text matters more than the image.
            context.recorder.logger.log(.error, "nothing is attached: \(error)")
        }
    }

    /// Delivers the current content, because the system stops waiting.
    open override func serviceExtensionTimeWillExpire() {
        let unfinished = deliveries.withLock { deliveries in
            defer { deliveries = [] }
            return deliveries
        }
        for delivery in unfinished { delivery.finish() }
    }
}

/// A notification in the extension: it is delivered to the system exactly once, when the work is
/// finished or the time expires.
private final class ServiceDelivery: @unchecked Sendable {
    // `@unchecked` holds because content and handler are accessed only between `lock` and `unlock`,
    // and the content once more by the caller that has taken the handler.
    private let lock = NSLock()
    private let content: UNMutableNotificationContent
    private var handler: ((UNNotificationContent) -> Void)?
    /// The pages of the attachments so far, in their order.
    private var pages: [Int] = []
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

    /// Attaches a file, for the notification itself (page 0) or for a page of its story. The files
    /// keep the order of their pages, because the system shows the first one as a thumbnail.
    func attach(_ file: URL, page: Int) {
        lock.lock()
        defer { lock.unlock() }
        guard handler != nil else { return }
        let name = page == 0 ? "" : StoryPicture.attachment(ofPage: page)
        // A file of the wrong type is left out; the text is shown anyway.
        guard
            let attachment = try? UNNotificationAttachment(
                identifier: name,
                url: file,
                options: nil
            )
        else { return }
        let place = pages.firstIndex { $0 > page } ?? pages.count
        pages.insert(page, at: place)
        content.attachments.insert(attachment, at: place)
    }

    func finish() {
        lock.lock()
        let handler = handler
        self.handler = nil
        lock.unlock()
        // Outside of the lock, because the handler is external code. The caller that has taken the
        // handler has exclusive access to the content: `attach` does nothing without a handler.
        guard let handler else { return }
        prepare(content)
        handler(content)
    }
}
#endif
