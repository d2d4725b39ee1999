#if canImport(UIKit)
import Foundation
import Noroshi
import UIKit

/// Draws one message; the base of the SDK's controllers and of an app's own.
///
/// A subclass puts its views into `view` and ends with ``close()``, ``click(buttonId:)`` or
/// ``dismissByUser()``. The impression is recorded when it has been presented.
open class NoroshiInAppMessageViewController: UIViewController {
    /// The showing that is drawn.
    public let inAppMessage: NoroshiInAppMessage
    /// The picture, loaded before the message is shown.
    public internal(set) var image: UIImage?

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
        view?.accessibilityViewIsModal = true
        closeLater()
    }

    private var hasMoved = false

    /// Calls ``beforeMoveInAppMessageViewOnScreen()``, once.
    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard !hasMoved else { return }
        hasMoved = true
        beforeMoveInAppMessageViewOnScreen()
    }

    /// Called once when the views are put together, before the message is to be seen: the place
    /// for constraints and offsets of a subclass's own.
    open func beforeMoveInAppMessageViewOnScreen() {}

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

    /// The message's colour for `slot` in the theme of the screen.
    func color(_ slot: String) -> UIColor? {
        let themes = context.message.themes
        let name = traitCollection.userInterfaceStyle == .dark ? "dark" : "light"
        return (themes?[name] ?? themes?["light"])?[slot].flatMap(UIColor.init(argb:))
    }

    private func closeLater() {
        guard let seconds = context.message.closesAfterSeconds else { return }
        Task { [weak self] in
            // The wait is not cancelled; a message that is gone is not closed twice.
            try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
            self?.dismissByUser()
        }
    }
}

extension UIColor {
    /// The colour that `argb`, as in `#CC336699`, names; `nil` if it names none.
    convenience init?(argb: String) {
        guard argb.hasPrefix("#"), argb.utf8.count == 9,
            let value = UInt32(argb.dropFirst(), radix: 16)
        else { return nil }
        func part(_ shift: UInt32) -> CGFloat { CGFloat((value >> shift) & 0xFF) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0), alpha: part(24))
    }
}
#endif
