import Foundation

/// <https://developer.apple.com/documentation/uikit/uiviewcontroller>
@MainActor
open class UIViewController: UIResponder {
    private var loadedView: UIView?
    open private(set) weak var presentingViewController: UIViewController?
    open private(set) var presentedViewController: UIViewController?

    public nonisolated override init() {
        super.init()
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)>
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        nil
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/view>
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadedView = UIView()
                viewDidLoad()
            }
            return loadedView
        }
        set { loadedView = newValue }
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()>
    open func viewDidLoad() {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)>
    open func present(
        _ controller: UIViewController,
        animated: Bool,
        completion: (() -> Void)? = nil
    ) {
        presentedViewController = controller
        controller.presentingViewController = self
        completion?()
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)>
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        presentingViewController?.presentedViewController = nil
        presentedViewController = nil
        completion?()
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/modalpresentationstyle>
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
}

/// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle>
public enum UIModalPresentationStyle: Int, Sendable {
    case automatic = -2
    case fullScreen = 0
    case overFullScreen = 5
}
