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
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        givenNibName = nibNameOrNil
        super.init()
    }

    private var givenNibName: String?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/nibname>
    open var nibName: String? { givenNibName }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/loadview()>
    open func loadView() {
        loadedView = UIView()
    }

    /// <https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollection>
    open var traitCollection: UITraitCollection { UITraitCollection() }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        nil
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/view>
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                loadedView?.shimController = self
                viewDidLoad()
            }
            return loadedView
        }
        set {
            loadedView = newValue
            newValue?.shimController = self
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewifloaded>
    open var viewIfLoaded: UIView? { loadedView }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()>
    open func viewDidLoad() {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidlayoutsubviews()>
    open func viewDidLayoutSubviews() {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/preferredcontentsize>
    open var preferredContentSize = CGSize.zero

    /// Shim only: the extension whose view controller this is.
    public var shimExtensionContext: NSExtensionContext?

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/extensioncontext>
    open var extensionContext: NSExtensionContext? { shimExtensionContext }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwillappear(_:)>
    open func viewWillAppear(_ animated: Bool) {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)>
    open func viewDidAppear(_ animated: Bool) {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/supportedinterfaceorientations>
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { [.portrait, .landscape] }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/parent>
    open private(set) weak var parent: UIViewController?
    private var children: [UIViewController] = []

    /// The child's appearance follows its parent's, which is on the screen here.
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)>
    open func addChild(_ childController: UIViewController) {
        childController.removeFromParent()
        childController.parent = self
        children.append(childController)
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/removefromparent()>
    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/willmove(toparent:)>
    open func willMove(toParent parent: UIViewController?) {}

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/didmove(toparent:)>
    open func didMove(toParent parent: UIViewController?) {
        if parent != nil, view.window?.isHidden == false { shimAppear() }
    }

    private var hasAppeared = false

    /// Called when the view appears on the screen.
    func shimAppear() {
        if !hasAppeared {
            hasAppeared = true
            viewWillAppear(false)
            viewDidAppear(false)
        }
        for child in children { child.shimAppear() }
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)>
    open func present(
        _ viewControllerToPresent: UIViewController,
        animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        // UIKit logs a warning and ignores the call, including its completion handler.
        guard presentedViewController == nil,
            viewControllerToPresent.presentingViewController == nil
        else { return }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        _ = viewControllerToPresent.view
        viewControllerToPresent.viewWillAppear(flag)
        viewControllerToPresent.viewDidAppear(flag)
        completion?()
    }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)>
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        // A presented controller is dismissed first; without one, this controller is dismissed.
        let presenter = presentedViewController == nil ? presentingViewController : self
        let gone = presenter?.presentedViewController
        presenter?.presentedViewController = nil
        gone?.presentingViewController = nil
        completion?()
    }

    /// Here a controller is dismissed immediately.
    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed>
    open var isBeingDismissed: Bool { false }

    /// <https://developer.apple.com/documentation/uikit/uiviewcontroller/modalpresentationstyle>
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
}

/// Between an extension and the app it is shown in.
/// <https://developer.apple.com/documentation/foundation/nsextensioncontext>
open class NSExtensionContext: NSObject {
    /// Shim only: calls of the extension, by name, for a virtual phone to observe.
    public private(set) var shimCalls: [String] = []
    /// Shim only: called with each of them.
    public var shimOnCall: (String) -> Void = { _ in }

    /// Shim only: notes a call of the extension.
    public func shimCall(_ name: String) {
        shimCalls.append(name)
        shimOnCall(name)
    }
}

/// <https://developer.apple.com/documentation/uikit/uimodalpresentationstyle>
public enum UIModalPresentationStyle: Int, Sendable {
    case automatic = -2
    case fullScreen = 0
    case overFullScreen = 5
}

/// <https://developer.apple.com/documentation/uikit/uitraitcollection>
@MainActor
open class UITraitCollection: NSObject {
    public override nonisolated init() {
        super.init()
    }

    /// <https://developer.apple.com/documentation/uikit/uitraitcollection/userinterfacestyle>
    open var userInterfaceStyle: UIUserInterfaceStyle { .unspecified }
}

/// <https://developer.apple.com/documentation/uikit/uiuserinterfacestyle>
public enum UIUserInterfaceStyle: Int, Sendable {
    case unspecified = 0
    case light = 1
    case dark = 2
}

/// Shim only: replaces interface files, which Linux cannot read: by name, the effect of loading the
/// file on its owner.
@MainActor
public enum ShimNibs {
    public static var loaders: [String: (Any?) -> Void] = [:]
}

extension Bundle {
    /// Does what `ShimNibs` has for the name.
    /// <https://developer.apple.com/documentation/foundation/bundle/loadnibnamed(_:owner:options:)>
    @MainActor
    @discardableResult
    public func loadNibNamed(
        _ name: String,
        owner: Any?,
        options: [AnyHashable: Any]? = nil
    ) -> [Any]? {
        ShimNibs.loaders[name]?(owner)
        return nil
    }
}
