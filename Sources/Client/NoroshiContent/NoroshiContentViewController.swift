#if canImport(UIKit) && canImport(UserNotificationsUI)
import Foundation
@_spi(Testing) import NoroshiExtensions
@_spi(Testing) import NoroshiOutbox
import UIKit
import UserNotifications
import UserNotificationsUI

/// The texts in the SDK's content-extension views.
public struct NoroshiContentWords: Sendable {
    /// The button that registers the typed text.
    public var register = "Register"
    /// The text shown after registering.
    public var thanks = "Thank you"
    /// The placeholder of the field for an e-mail address.
    public var emailPlaceholder = "name@example.com"
    /// The placeholder of the field for a phone number.
    public var phonePlaceholder = "+81 3 1234 5678"
    /// The placeholder of the field for a text.
    public var textPlaceholder = "Your answer"
    /// The button that spins the wheel.
    public var spin = "Spin"
    /// A card of the match game, before its number.
    public var card = "Card"
    /// The button that turns a push story back.
    public var previous = "Previous"
    /// The button that turns a push story forward.
    public var next = "Next"

    /// The English texts.
    public init() {}
}

/// The controller of a notification content extension that draws the SDK's patterns.
///
/// ```swift
/// final class NotificationViewController: NoroshiContentViewController {
///     override var configuration: NoroshiConfiguration? { .mine }
/// }
/// ```
/// The category of the notification chooses the pattern: `noroshi_capture`, `noroshi_progress`,
/// `noroshi_wheel`, `noroshi_match`, `noroshi_story`. Info.plist names them under
/// `UNNotificationExtensionCategory`, and the views need
/// `UNNotificationExtensionUserInteractionEnabled`.
open class NoroshiContentViewController: UIViewController, UNNotificationContentExtension {
    /// The app's configuration with its App Group; without one nothing is recorded.
    open var configuration: NoroshiConfiguration? { nil }

    /// The extension's external dependencies; replaced in tests.
    @_spi(Testing) open var dependencies: NoroshiDependencies { NoroshiDependencies() }

    /// The texts in the views.
    open var words: NoroshiContentWords { NoroshiContentWords() }

    /// The visible view.
    public private(set) var contentView: UIView?
    private var context: NoroshiExtensionContext?

    /// The view for a category of the app itself; `nil` by default.
    open func makeView(for content: NoroshiNotificationContent) -> UIView? { nil }

    /// Draws the pattern that the notification’s category names.
    open func didReceive(_ notification: UNNotification) {
        if let configuration, context == nil {
            context = NoroshiExtensionContext(
                configuration: configuration,
                dependencies: dependencies
            )
        }
        let shown: UIView
        do {
            let content = try NoroshiNotificationContent(notification)
            shown = try makeView(for: content) ?? patternView(for: content)
        } catch {
            let label = UILabel.noroshi(.footnote)
            label.text = "\(error)"
            context?.recorder.logger.log(.error, "the notification is not drawn: \(error)")
            shown = label
        }
        show(shown)
    }

    /// Passes the tap on an action button to ``respond(toAction:)``.
    open nonisolated func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        // Apple's protocol guarantees no thread here, and the response is not `Sendable`.
        let action = response.actionIdentifier
        Task { @MainActor in completion(respond(toAction: action).option) }
    }

    /// Passes the tap on the action button `identifier` to the pattern.
    /// - Returns: The response to the notification; if no pattern handles the tap, the notification
    ///   is dismissed and the app gets the tap.
    open func respond(toAction identifier: String) -> NoroshiContentResponse {
        guard let capture = contentView as? CaptureView else { return .dismissAndForward }
        return perform(capture.respond(toAction: identifier)) ?? .dismissAndForward
    }

    /// Performs the effects of a pattern and sends the resulting records immediately while there is
    /// time.
    /// - Returns: The response to the notification; `nil` if the effects contain none.
    @discardableResult
    public func perform(_ effects: [NoroshiPatternEffect]) -> NoroshiContentResponse? {
        guard let context else { return NoroshiPatternEffect.response(of: effects) }
        let answer = context.perform(effects)
        Task { await context.flush(within: 5) }
        return answer
    }

    /// Performs the effects of a pattern after its thanks: closes the notification, or opens the
    /// app.
    private func finish(_ effects: [NoroshiPatternEffect]) {
        switch perform(effects) {
        case .dismiss: extensionContext?.dismissNotificationContentExtension()
        case .dismissAndForward: extensionContext?.performNotificationDefaultAction()
        case .doNotDismiss, nil: break
        }
    }

    /// Adapts the height of the notification to its content.
    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        fit()
    }

    private func fit() {
        guard let view, let contentView else { return }
        let width = view.bounds.width
        let fitting = contentView.systemLayoutSizeFitting(
            CGSize(width: width - 2 * Self.margin, height: 0),
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .fittingSizeLevel
        )
        let size = CGSize(width: width, height: fitting.height + 2 * Self.margin)
        // Setting the size triggers another layout.
        if preferredContentSize != size { preferredContentSize = size }
    }

    private static let margin: CGFloat = 16

    private func patternView(
        for content: NoroshiNotificationContent
    ) throws(NoroshiContentError) -> UIView {
        let perform: ([NoroshiPatternEffect]) -> Void = { [weak self] in self?.perform($0) }
        switch content.category {
        case "noroshi_capture":
            return CaptureView(
                try NoroshiInformationCapture(content),
                words: words,
                sleep: dependencies.sleep,
                perform: perform,
                finish: { [weak self] in self?.finish($0) }
            )
        case "noroshi_progress":
            return ProgressView(try NoroshiCourseProgress(content), title: content.title)
        case "noroshi_wheel":
            return WheelView(
                try NoroshiSpinToWin(content),
                words: words,
                sleep: dependencies.sleep,
                perform: perform
            )
        case "noroshi_match":
            var random = SystemRandomNumberGenerator()
            let faces = try content.text("faces").split(separator: ",").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return MatchView(
                NoroshiMatchGame(faces: faces, random: &random),
                words: words,
                perform: perform
            )
        case "noroshi_story":
            return storyView(try NoroshiPushStory(content), pictures: content.storyPictures)
        default:
            throw .foreignCategory(
                found: content.category,
                expected: [
                    "noroshi_capture", "noroshi_progress", "noroshi_wheel", "noroshi_match",
                    "noroshi_story",
                ]
            )
        }
    }

    private func storyView(_ story: NoroshiPushStory, pictures: [Int: URL]) -> StoryView {
        StoryView(
            story,
            words: words,
            picture: { page in pictures[page].flatMap(Self.picture) },
            sleep: dependencies.sleep,
            turned: { [weak self] in self?.fit() },
            open: { [weak self] in self?.finish($0) }
        )
    }

    /// The picture in an attachment, which belongs to the system: an extension has to ask for it.
    private static func picture(_ file: URL) -> UIImage? {
        #if canImport(Darwin)
        let isOpen = file.startAccessingSecurityScopedResource()
        defer { if isOpen { file.stopAccessingSecurityScopedResource() } }
        #endif
        // A page without its picture still has its words.
        return (try? Data(contentsOf: file)).flatMap(UIImage.init(data:))
    }

    private func show(_ shown: UIView) {
        guard let view else { return }
        contentView?.removeFromSuperview()
        contentView = shown
        shown.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(shown)
        NSLayoutConstraint.activate([
            shown.topAnchor.constraint(equalTo: view.topAnchor, constant: Self.margin),
            shown.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: Self.margin),
            shown.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -Self.margin),
            shown.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -Self.margin),
        ])
        fit()
    }
}
#endif
