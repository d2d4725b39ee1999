#if canImport(UIKit) && canImport(WebKit)
import Foundation
import Noroshi
import UIKit

/// Draws one message; the base class of the SDK's controllers and of custom ones.
///
/// The message is drawn by a web view that fills `view`. A subclass can add its own views above it,
/// or create its own `view` in `loadView()`, and ends with ``close()``, ``click(buttonId:)`` or
/// ``dismissByUser()``. The impression is recorded when the message is drawn and visible.
open class NoroshiInAppMessageViewController: UIViewController {
    /// The showing.
    public let inAppMessage: NoroshiInAppMessage
    /// The picture, loaded before the message is shown.
    public internal(set) var image: UIImage?
    /// The data of the picture.
    var imageData: Data?
    /// The view that draws the message; `nil` in a subclass with its own view.
    private(set) var drawing: MessageDrawing?
    /// The window of the message; `nil` if it is presented over a controller.
    weak var stage: MessageStage?

    private var hasMoved = false
    private var hasAppeared = false
    private var isDrawn = false
    private(set) var isSeen = false

    /// A controller for `inAppMessage`.
    public required init(inAppMessage: NoroshiInAppMessage) {
        self.inAppMessage = inAppMessage
        super.init(nibName: nil, bundle: nil)
        modalPresentationStyle = .overFullScreen
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        preconditionFailure("the controller is made in code")
    }

    /// The context to which the view reports.
    public var context: NoroshiInAppMessageContext { inAppMessage.context }

    /// Whether the view is the SDK's own, into which the SDK's controllers draw. The view of a
    /// subclass, from a nib or created in `loadView()`, is shown alone.
    public private(set) var drawsMessage = false

    /// Creates an empty view; a subclass that creates its own does not call this.
    open override func loadView() {
        drawsMessage = true
        view = UIView()
    }

    /// Adds the views.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view?.accessibilityViewIsModal = !(inAppMessage is NoroshiInAppMessageSlideup)
        guard drawsMessage, let view else { return }
        let drawing = makeDrawing()
        self.drawing = drawing
        view.addSubview(drawing.webView)
        NSLayoutConstraint.activate(place(drawing.webView, in: view))
    }

    /// Creates the view that draws the message.
    func makeDrawing() -> MessageDrawing {
        let drawing = MessageDrawing(self, handlers: [MessagePage.handlerName])
        do {
            drawing.load(
                try MessagePage.html(
                    context.message,
                    picture: imageData,
                    textSize: UIFont.preferredFont(forTextStyle: .body).pointSize
                )
            )
        } catch {
            // A message decoded from JSON can be encoded again; if not, it is closed.
            close()
        }
        return drawing
    }

    /// Constraints for the drawing: it fills the screen, unless a subclass overrides this.
    func place(_ drawing: UIView, in view: UIView) -> [NSLayoutConstraint] {
        [
            drawing.topAnchor.constraint(equalTo: view.topAnchor),
            drawing.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            drawing.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            drawing.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ]
    }

    /// Calls ``beforeMoveInAppMessageViewOnScreen()``, once.
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard !hasMoved else { return }
        hasMoved = true
        beforeMoveInAppMessageViewOnScreen()
    }

    /// Counts the message if it is drawn.
    open override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        hasAppeared = true
        // The view of a subclass is drawn once it appears.
        if !drawsMessage { isDrawn = true }
        countIfSeen()
    }

    /// Called once after the views are added and before the message is visible, for constraints and
    /// offsets of a subclass.
    open func beforeMoveInAppMessageViewOnScreen() {}

    /// The orientations in which the message may be shown.
    open override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        switch context.message.orientation ?? .any {
        case .any: super.supportedInterfaceOrientations
        case .portrait: .portrait
        case .landscape: .landscape
        }
    }

    /// Removes the message from the screen, however it is presented.
    open override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController == nil, let stage else {
            super.dismiss(animated: flag, completion: completion)
            return
        }
        self.stage = nil
        stage.remove(self, animated: flag, completion: completion)
    }

    /// Handles a tap on the message, or on one of its buttons: closes it and performs the action.
    public func click(buttonId: String? = nil) {
        let context = context
        dismiss(animated: true) { context.processClick(buttonId: buttonId) }
    }

    /// Closes the message without a tap on it, as the user does.
    public func dismissByUser() {
        let context = context
        dismiss(animated: true) { context.logDismissal() }
    }

    /// Removes the message without recording anything.
    public func close() {
        let context = context
        dismiss(animated: true) { context.close() }
    }

    // MARK: - What the page tells

    func received(_ text: String, from handler: String) {
        guard handler == MessagePage.handlerName,
            let call = try? JSONDecoder().decode(MessagePage.Call.self, from: Data(text.utf8))
        else { return }
        switch call.kind {
        case .shown: noteDrawn()
        case .click: click(buttonId: call.button)
        case .dismiss: dismissByUser()
        case .size: if let height = call.height { resized(toHeight: CGFloat(height)) }
        }
    }

    /// Called when the drawing needs a height of `height` points.
    func resized(toHeight height: CGFloat) {}

    /// Called when the page is loaded; the renderer's page reports itself when it is drawn.
    func pageIsRead() {}

    /// Whether the page may navigate to `url`; the renderer's page never does.
    func mayNavigate(to url: URL?, isLink: Bool) -> Bool { !isLink }

    func noteDrawn() {
        isDrawn = true
        countIfSeen()
    }

    private func countIfSeen() {
        guard isDrawn, hasAppeared, !isSeen else { return }
        isSeen = true
        context.logImpression()
        closeLater()
    }

    private func closeLater() {
        guard let seconds = context.message.closesAfterSeconds else { return }
        Task { [weak self] in
            // The wait is not cancelled; a removed message is not closed twice.
            try? await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
            self?.dismissByUser()
        }
    }
}

/// Draws a strip at an edge, which passes touches beside it to the app. A subclass can move it with
/// ``offset``.
open class NoroshiInAppMessageSlideupViewController: NoroshiInAppMessageViewController {
    /// The constraint between the strip and its edge.
    public var slideConstraint: NSLayoutConstraint?

    private var heightConstraint: NSLayoutConstraint?

    /// Distance between the strip and the safe area of its edge, in points; 10 by default.
    open var offset: CGFloat = 10 {
        didSet { slideConstraint?.constant = distance }
    }

    private var comesFromTop: Bool {
        (inAppMessage as? NoroshiInAppMessageSlideup)?.slideFrom == .top
    }

    private var distance: CGFloat { comesFromTop ? offset : -offset }

    override func place(_ drawing: UIView, in view: UIView) -> [NSLayoutConstraint] {
        let guide = view.safeAreaLayoutGuide
        let edge =
            comesFromTop
            ? drawing.topAnchor.constraint(equalTo: guide.topAnchor, constant: distance)
            : drawing.bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: distance)
        // Used until the page reports the height of the strip.
        let height = drawing.heightAnchor.constraint(equalToConstant: 56)
        slideConstraint = edge
        heightConstraint = height
        return [
            edge,
            height,
            drawing.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 10),
            drawing.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -10),
        ]
    }

    override func resized(toHeight height: CGFloat) {
        heightConstraint?.constant = height
    }
}

/// Draws a heading, a text, a picture and buttons over the app. It has no tap recognizer, so that
/// switches, pickers and lists of a subclass receive their touches.
open class NoroshiInAppMessageImmersiveViewController: NoroshiInAppMessageViewController {}

/// Draws a card over the app.
open class NoroshiInAppMessageModalViewController: NoroshiInAppMessageImmersiveViewController {}

/// Draws a page over the app.
open class NoroshiInAppMessageFullViewController: NoroshiInAppMessageImmersiveViewController {}

/// Draws a message that is an HTML page, with the bridge to the SDK (`window.noroshiBridge`). A
/// link of the page is handled like a link of any other message; the page itself never navigates.
open class NoroshiInAppMessageHTMLViewController: NoroshiInAppMessageViewController {
    override func makeDrawing() -> MessageDrawing {
        let drawing = MessageDrawing(
            self,
            handlers: [NoroshiInAppMessageContext.bridgeHandlerName],
            script: NoroshiInAppMessageContext.bridgeScript
        )
        drawing.load(inAppMessage.message)
        return drawing
    }

    override func received(_ text: String, from handler: String) {
        if context.handleBridgeMessage(text) { dismissByUser() }
    }

    override func pageIsRead() {
        noteDrawn()
    }

    /// Returns `true` only for navigation that is not a link: the app handles links.
    override func mayNavigate(to url: URL?, isLink: Bool) -> Bool {
        guard isLink, let url else { return true }
        let context = context
        switch url.host {
        case "close" where ["noroshi", "braze", "appboy"].contains(url.scheme ?? ""):
            dismissByUser()
        default:
            dismiss(animated: true) { context.processLink(url) }
        }
        return false
    }
}
#endif
