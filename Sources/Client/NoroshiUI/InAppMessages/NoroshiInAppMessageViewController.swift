#if canImport(UIKit) && canImport(WebKit)
import Foundation
import Noroshi
import UIKit

/// Draws one message; the base of the SDK's controllers and of an app's own.
///
/// The message is drawn by a web view that fills `view`. A subclass puts views of its own above it,
/// or brings a `view` of its own in `loadView()`, and ends with ``close()``, ``click(buttonId:)`` or
/// ``dismissByUser()``. The impression is recorded when the message is drawn and on the screen.
open class NoroshiInAppMessageViewController: UIViewController {
    /// The showing that is drawn.
    public let inAppMessage: NoroshiInAppMessage
    /// The picture, loaded before the message is shown.
    public internal(set) var image: UIImage?
    /// The picture's bytes.
    var imageData: Data?
    /// What draws the message; `nil` in a subclass that brings its own view.
    private(set) var drawing: MessageDrawing?
    /// The window that the message has for itself; `nil` where it is presented over a controller.
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

    /// What the view reports to and asks for.
    public var context: NoroshiInAppMessageContext { inAppMessage.context }

    /// Whether the view is the SDK's own, which the SDK's controllers draw into. A subclass that
    /// brings a view of its own, from a nib or made in `loadView()`, has the screen to itself.
    public private(set) var drawsMessage = false

    /// Makes an empty view; a subclass that makes its own does not call this.
    open override func loadView() {
        drawsMessage = true
        view = UIView()
    }

    /// Puts the views together.
    open override func viewDidLoad() {
        super.viewDidLoad()
        view?.accessibilityViewIsModal = !(inAppMessage is NoroshiInAppMessageSlideup)
        guard drawsMessage, let view else { return }
        let drawing = makeDrawing()
        self.drawing = drawing
        view.addSubview(drawing.webView)
        NSLayoutConstraint.activate(place(drawing.webView, in: view))
    }

    /// What draws the message.
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
            // A message that came as JSON can be written as JSON; if not, nobody waits for it.
            close()
        }
        return drawing
    }

    /// Where the drawing lies: all over the screen, unless a subclass says otherwise.
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
        // What a subclass has brought itself is drawn when it is there.
        if !drawsMessage { isDrawn = true }
        countIfSeen()
    }

    /// Called once when the views are put together, before the message is to be seen: the place
    /// for constraints and offsets of a subclass's own.
    open func beforeMoveInAppMessageViewOnScreen() {}

    /// The way the device has to be held while the message is on the screen, as the message says.
    open override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        switch context.message.orientation ?? .any {
        case .any: super.supportedInterfaceOrientations
        case .portrait: .portrait
        case .landscape: .landscape
        }
    }

    /// Takes the message off the screen, wherever it is shown.
    open override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController == nil, let stage else {
            super.dismiss(animated: flag, completion: completion)
            return
        }
        self.stage = nil
        stage.remove(self, animated: flag, completion: completion)
    }

    /// The user has tapped the message, or one of its buttons: closes it and does what is meant.
    public func click(buttonId: String? = nil) {
        let context = context
        dismiss(animated: true) { context.processClick(buttonId: buttonId) }
    }

    /// The user has closed the message without a tap on it.
    public func dismissByUser() {
        let context = context
        dismiss(animated: true) { context.logDismissal() }
    }

    /// Takes the message away without recording anything.
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

    /// The drawing wants to be `height` points high.
    func resized(toHeight height: CGFloat) {}

    /// The page has been read to its end; that of the renderer says itself when it is drawn.
    func pageIsRead() {}

    /// Whether the page may go to `url`; the renderer's goes nowhere.
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
            // The wait is not cancelled; a message that is gone is not closed twice.
            try? await Task.sleep(nanoseconds: UInt64(max(0, seconds) * 1_000_000_000))
            self?.dismissByUser()
        }
    }
}

/// Draws a strip at an edge, which lets touches beside it through to the app. A subclass moves it by
/// ``offset``.
open class NoroshiInAppMessageSlideupViewController: NoroshiInAppMessageViewController {
    /// The constraint between the strip and its edge.
    public var slideConstraint: NSLayoutConstraint?

    private var heightConstraint: NSLayoutConstraint?

    /// Points between the strip and the safe area of its edge; 10 unless set.
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
        // Until the page says how high the strip is.
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

/// Draws a heading, a text, a picture and buttons over the app. It has no tap recogniser of its own,
/// so switches, pickers and lists that a subclass adds receive their touches.
open class NoroshiInAppMessageImmersiveViewController: NoroshiInAppMessageViewController {}

/// Draws a card over the app.
open class NoroshiInAppMessageModalViewController: NoroshiInAppMessageImmersiveViewController {}

/// Draws a page over the app.
open class NoroshiInAppMessageFullViewController: NoroshiInAppMessageImmersiveViewController {}

/// Draws a message that is a page of HTML, with the bridge to the SDK (`window.noroshiBridge`). A
/// link of the page leads where a link of any other message does; the page itself never leaves.
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

    /// Whether the page may go to `url`, which it may not: links belong to the app.
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
