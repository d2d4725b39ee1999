import Foundation

/// <https://developer.apple.com/documentation/uikit/uiview>
@MainActor
open class UIView: UIResponder {
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    open var isHidden = false {
        didSet {
            guard oldValue != isHidden else { return }
            shimVisibilityChanged()
            shimChanged()
        }
    }
    open var backgroundColor: UIColor?
    open var translatesAutoresizingMaskIntoConstraints = true
    open var accessibilityLabel: String? {
        didSet { shimChanged() }
    }
    open var accessibilityViewIsModal = false
    open var isAccessibilityElement = false
    open var isUserInteractionEnabled = true
    open var clipsToBounds = false

    /// <https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum>
    public enum ContentMode: Int, Sendable {
        case scaleToFill = 0
        case scaleAspectFill = 2
    }

    open var contentMode = ContentMode.scaleToFill

    public init(frame: CGRect) {
        super.init()
        self.frame = frame
        // Property observers of `frame` are not called in an initializer.
        bounds.size = frame.size
    }

    public required init?(coder: NSCoder) {
        super.init()
    }

    // `NSObject`'s own has no isolation on Linux, and an override may not add one.
    public nonisolated override init() {
        super.init()
    }

    func shimVisibilityChanged() {}

    /// Shim only: the controller whose view this is.
    public internal(set) weak var shimController: UIViewController?

    /// Shim only: called on a view at the top whenever something below it looks different.
    public var shimOnChange: (() -> Void)?

    func shimChanged() {
        if let superview { superview.shimChanged() } else { shimOnChange?() }
    }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        shimChanged()
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        let before = superview
        superview = nil
        before?.shimChanged()
    }

    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }

    /// Those of a phone with a home indicator and without an island, upright.
    /// <https://developer.apple.com/documentation/uikit/uiview/safeareainsets>
    open var safeAreaInsets: UIEdgeInsets {
        UIEdgeInsets(top: 47, left: 0, bottom: 34, right: 0)
    }

    /// Nothing is laid out on Linux.
    /// <https://developer.apple.com/documentation/uikit/uiview/bounds>
    open var bounds = CGRect.zero

    /// The position of the view in its superview.
    /// <https://developer.apple.com/documentation/uikit/uiview/frame>
    open var frame = CGRect.zero {
        didSet { bounds.size = frame.size }
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/center>
    open var center = CGPoint.zero

    /// <https://developer.apple.com/documentation/uikit/uiview/transform>
    open var transform = CGAffineTransform.identity {
        didSet { shimChanged() }
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/layer>
    public let layer = CALayer()

    /// Called by nobody on Linux but tests.
    /// <https://developer.apple.com/documentation/uikit/uiview/draw(_:)>
    open func draw(_ rect: CGRect) {}

    /// Called by nobody on Linux but tests.
    /// <https://developer.apple.com/documentation/uikit/uiview/layoutsubviews()>
    open func layoutSubviews() {}

    /// <https://developer.apple.com/documentation/uikit/uiview/alpha>
    open var alpha: CGFloat = 1

    /// Changes take effect immediately, without an animation.
    /// <https://developer.apple.com/documentation/uikit/uiview/animate(withduration:animations:completion:)>
    open class func animate(
        withDuration duration: TimeInterval,
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        completion?(true)
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/window>
    open var window: UIWindow? { self as? UIWindow ?? superview?.window }

    /// The view on top at `point`, of this one and what it contains. Labels and views for which touches
    /// are switched off are transparent to them.
    /// <https://developer.apple.com/documentation/uikit/uiview/hittest(_:with:)>
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let isInside =
            point.x >= 0 && point.y >= 0 && point.x < bounds.width && point.y < bounds.height
        guard !isHidden, isUserInteractionEnabled, !(self is UILabel), isInside else { return nil }
        for view in subviews.reversed() {
            let inner = CGPoint(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
            if let hit = view.hitTest(inner, with: event) { return hit }
        }
        return self
    }

    /// A line of text for each label, button and field, one below the other.
    /// <https://developer.apple.com/documentation/uikit/uiview/systemlayoutsizefitting(_:withhorizontalfittingpriority:verticalfittingpriority:)>
    open func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize {
        CGSize(width: targetSize.width, height: shimHeight)
    }

    private var shimHeight: CGFloat {
        if isHidden { return 0 }
        let own: CGFloat = self is UILabel || self is UIControl ? 20 : 0
        return subviews.reduce(own) { $0 + $1.shimHeight }
    }

    /// <https://developer.apple.com/documentation/uikit/uiview/isopaque>
    open var isOpaque = true
}

/// <https://developer.apple.com/documentation/uikit/uilayoutpriority>
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    public let rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }

    public static let required = UILayoutPriority(rawValue: 1000)
    public static let fittingSizeLevel = UILayoutPriority(rawValue: 50)
}

/// <https://developer.apple.com/documentation/uikit/uiedgeinsets>
public struct UIEdgeInsets: Equatable, Sendable {
    public var top: CGFloat
    public var left: CGFloat
    public var bottom: CGFloat
    public var right: CGFloat

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

/// <https://developer.apple.com/documentation/uikit/uilayoutguide>
@MainActor
open class UILayoutGuide: NSObject {
    public override nonisolated init() {
        super.init()
    }

    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutanchor>
@MainActor
open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    public override nonisolated init() {
        super.init()
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(equalto:)>
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint {
        NSLayoutConstraint(shimConstant: 0)
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(equalto:constant:)>
    open func constraint(
        equalTo anchor: NSLayoutAnchor<AnchorType>,
        constant: CGFloat
    ) -> NSLayoutConstraint { NSLayoutConstraint(shimConstant: constant) }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutyaxisanchor>
@MainActor
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// <https://developer.apple.com/documentation/uikit/nslayoutxaxisanchor>
@MainActor
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// <https://developer.apple.com/documentation/uikit/nslayoutdimension>
@MainActor
open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// <https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(equaltoconstant:)>
    open func constraint(equalToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(shimConstant: constant)
    }

    /// <https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(equalto:multiplier:)>
    open func constraint(
        equalTo anchor: NSLayoutDimension,
        multiplier: CGFloat
    ) -> NSLayoutConstraint { NSLayoutConstraint(shimConstant: 0) }

    /// <https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(greaterthanorequaltoconstant:)>
    open func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(shimConstant: constant)
    }
}

/// Views are not laid out on Linux; constraints are only declared.
/// <https://developer.apple.com/documentation/uikit/nslayoutconstraint>
@MainActor
open class NSLayoutConstraint: NSObject {
    open var constant: CGFloat

    /// <https://developer.apple.com/documentation/uikit/nslayoutconstraint/isactive>
    open var isActive = false

    nonisolated init(shimConstant constant: CGFloat) {
        self.constant = constant
        super.init()
    }

    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

/// <https://developer.apple.com/documentation/uikit/uicolor>
open class UIColor: NSObject, @unchecked Sendable {
    // `@unchecked` holds because a colour has no members that change.

    /// Shim only: the parts of the color.
    public let shimParts: [CGFloat]

    /// <https://developer.apple.com/documentation/uikit/uicolor/init(red:green:blue:alpha:)>
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        shimParts = [red, green, blue, alpha]
        super.init()
    }

    /// <https://developer.apple.com/documentation/uikit/uicolor/setfill()>
    open func setFill() { ShimCanvas.choose(self) }

    public static let white = UIColor(red: 1, green: 1, blue: 1, alpha: 1)

    public static let clear = UIColor(red: 0, green: 0, blue: 0, alpha: 0)
    public static let systemBackground = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
    public static let label = UIColor(red: 0, green: 0, blue: 0, alpha: 1)
    public static let secondaryLabel = UIColor(red: 0.4, green: 0.4, blue: 0.4, alpha: 1)
    public static let systemRed = UIColor(red: 1, green: 0.2, blue: 0.2, alpha: 1)
}
