import Foundation

/// <https://developer.apple.com/documentation/uikit/uiview>
@MainActor
open class UIView: UIResponder {
    open private(set) var subviews: [UIView] = []
    open private(set) weak var superview: UIView?
    open var isHidden = false
    open var backgroundColor: UIColor?
    open var translatesAutoresizingMaskIntoConstraints = true
    open var accessibilityLabel: String?
    open var accessibilityViewIsModal = false

    public nonisolated init(frame: CGRect) {
        super.init()
    }

    public nonisolated required init?(coder: NSCoder) {
        super.init()
    }

    public nonisolated override convenience init() {
        self.init(frame: .zero)
    }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    open var topAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var bottomAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var leadingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var trailingAnchor: NSLayoutXAxisAnchor { NSLayoutXAxisAnchor() }
    open var centerYAnchor: NSLayoutYAxisAnchor { NSLayoutYAxisAnchor() }
    open var widthAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var heightAnchor: NSLayoutDimension { NSLayoutDimension() }
    open var safeAreaLayoutGuide: UILayoutGuide { UILayoutGuide() }
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

/// <https://developer.apple.com/documentation/uikit/nslayoutyaxisanchor>
@MainActor
open class NSLayoutYAxisAnchor: NSObject {
    public override nonisolated init() {
        super.init()
    }

    open func constraint(
        equalTo anchor: NSLayoutYAxisAnchor,
        constant: CGFloat = 0
    ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutxaxisanchor>
@MainActor
open class NSLayoutXAxisAnchor: NSObject {
    public override nonisolated init() {
        super.init()
    }

    open func constraint(
        equalTo anchor: NSLayoutXAxisAnchor,
        constant: CGFloat = 0
    ) -> NSLayoutConstraint { NSLayoutConstraint(constant: constant) }
}

/// <https://developer.apple.com/documentation/uikit/nslayoutdimension>
@MainActor
open class NSLayoutDimension: NSObject {
    public override nonisolated init() {
        super.init()
    }

    open func constraint(greaterThanOrEqualToConstant constant: CGFloat) -> NSLayoutConstraint {
        NSLayoutConstraint(constant: constant)
    }
}

/// Views are not laid out on Linux; constraints are only declared.
/// <https://developer.apple.com/documentation/uikit/nslayoutconstraint>
@MainActor
open class NSLayoutConstraint: NSObject {
    open var constant: CGFloat

    nonisolated init(constant: CGFloat) {
        self.constant = constant
        super.init()
    }

    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

/// <https://developer.apple.com/documentation/uikit/uicolor>
open class UIColor: NSObject, @unchecked Sendable {
    // `@unchecked` holds because a colour has no members that change.

    /// <https://developer.apple.com/documentation/uikit/uicolor/init(red:green:blue:alpha:)>
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        super.init()
    }

    public static let systemBackground = UIColor(red: 1, green: 1, blue: 1, alpha: 1)
    public static let label = UIColor(red: 0, green: 0, blue: 0, alpha: 1)
    public static let secondaryLabel = UIColor(red: 0.4, green: 0.4, blue: 0.4, alpha: 1)
    public static let systemRed = UIColor(red: 1, green: 0.2, blue: 0.2, alpha: 1)
}
