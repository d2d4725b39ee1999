import Foundation

/// <https://developer.apple.com/documentation/uikit/uiwindow>
@MainActor
open class UIWindow: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiwindow/level-swift.struct>
    public struct Level: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = Level(rawValue: 0)
        public static let alert = Level(rawValue: 2000)
    }

    /// A window is hidden until it is shown.
    /// <https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)>
    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init(frame: windowScene.coordinateSpace.bounds)
        isHidden = true
        windowScene.shimWindows.append(self)
    }

    public required init?(coder: NSCoder) {
        nil
    }

    /// <https://developer.apple.com/documentation/uikit/uiwindow/windowscene>
    open weak var windowScene: UIWindowScene?

    /// <https://developer.apple.com/documentation/uikit/uiwindow/windowlevel>
    open var windowLevel = Level.normal

    /// <https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller>
    open var rootViewController: UIViewController? {
        didSet {
            oldValue?.viewIfLoaded?.removeFromSuperview()
            showRoot()
        }
    }

    override func shimVisibilityChanged() {
        showRoot()
    }

    /// <https://developer.apple.com/documentation/uikit/uiwindow/makekeyandvisible()>
    open func makeKeyAndVisible() {
        isHidden = false
    }

    private func showRoot() {
        guard !isHidden, let root = rootViewController, let view = root.view else { return }
        view.frame = bounds
        addSubview(view)
        root.shimAppear()
    }
}

/// <https://developer.apple.com/documentation/uikit/uiscene>
@MainActor
open class UIScene: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum>
    public enum ActivationState: Int, Sendable {
        case foregroundActive = 0
    }

    /// What a screen is made for.
    /// <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions>
    @MainActor
    open class ConnectionOptions: NSObject {}

    /// <https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.property>
    open var activationState: ActivationState { .foregroundActive }
}

/// <https://developer.apple.com/documentation/uikit/uicoordinatespace>
@MainActor
public protocol UICoordinateSpace: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/uikit/uicoordinatespace/bounds>
    var bounds: CGRect { get }
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscene>
@MainActor
open class UIWindowScene: UIScene {
    /// Shim only: the windows on the scene, the newest last.
    public var shimWindows: [UIWindow] = []

    /// Shim only: a finger at a place of the screen. As on a phone the windows are asked from the
    /// top for the view there; the control that it belongs to gets the touch.
    public func shimTouch(at point: CGPoint) {
        let windows = shimWindows.enumerated()
            .sorted {
                ($0.element.windowLevel.rawValue, $0.offset)
                    < ($1.element.windowLevel.rawValue, $1.offset)
            }
            .map(\.element)
        var view = windows.reversed().lazy.compactMap { $0.hitTest(point, with: nil) }.first
        while let current = view, !(current is UIControl) { view = current.superview }
        guard let control = view as? UIControl, control.isEnabled else { return }
        if let toggle = control as? UISwitch {
            toggle.isOn.toggle()
            toggle.sendActions(for: .valueChanged)
        }
        control.sendActions(for: .touchUpInside)
    }

    private let screen: UIView

    /// Shim only: a screen of `size`.
    public init(shimSize size: CGSize) {
        screen = UIView(frame: CGRect(origin: .zero, size: size))
        super.init()
    }

    /// The window that the app has made the key one; the newest that is shown, here.
    /// <https://developer.apple.com/documentation/uikit/uiwindowscene/keywindow>
    open var keyWindow: UIWindow? {
        shimWindows.last { !$0.isHidden && $0.windowLevel == .normal }
    }

    /// <https://developer.apple.com/documentation/uikit/uiwindowscene/coordinatespace>
    open var coordinateSpace: any UICoordinateSpace { screen }
}

extension UIView: UICoordinateSpace {}

/// <https://developer.apple.com/documentation/uikit/uievent>
@MainActor
open class UIEvent: NSObject {}

/// <https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask>
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let portrait = UIInterfaceOrientationMask(rawValue: 1 << 1)
    public static let landscape = UIInterfaceOrientationMask(rawValue: 1 << 3 | 1 << 4)
}

/// <https://developer.apple.com/documentation/uikit/uiscrollview>
@MainActor
open class UIScrollView: UIView {
    /// <https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.enum>
    public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        case automatic = 0
        case never = 2
    }

    /// <https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.property>
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic

    /// <https://developer.apple.com/documentation/uikit/uiscrollview/isscrollenabled>
    open var isScrollEnabled = true
}

/// <https://developer.apple.com/documentation/uikit/uiscenesession>
@MainActor
open class UISceneSession: NSObject {}

/// <https://developer.apple.com/documentation/uikit/uiscenedelegate>
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)>
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
}

/// In Apple's protocol the method is optional.
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
}

/// <https://developer.apple.com/documentation/uikit/uiwindowscenedelegate>
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// <https://developer.apple.com/documentation/uikit/uiwindowscenedelegate/window>
    var window: UIWindow? { get set }
}
