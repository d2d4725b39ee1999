import Foundation

/// <https://developer.apple.com/documentation/uikit/uilabel>
@MainActor
open class UILabel: UIView {
    open var text: String? {
        didSet { shimChanged() }
    }
    open var numberOfLines = 1
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var textColor: UIColor!
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var font: UIFont!
    open var textAlignment = NSTextAlignment.natural
}

/// <https://developer.apple.com/documentation/uikit/nstextalignment>
public enum NSTextAlignment: Int, Sendable {
    case center = 1
    case natural = 4
}

/// <https://developer.apple.com/documentation/uikit/uifont>
open class UIFont: NSObject, @unchecked Sendable {
    // `@unchecked` holds because a font has no members that change.

    /// <https://developer.apple.com/documentation/uikit/uifont/textstyle>
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
        public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
        public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
    }

    /// The size of the text that the user has chosen; the usual one here.
    /// <https://developer.apple.com/documentation/uikit/uifont/pointsize>
    open var pointSize: CGFloat { 17 }

    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}

/// <https://developer.apple.com/documentation/uikit/uimenuelement>
@MainActor
open class UIMenuElement: NSObject {
    /// <https://developer.apple.com/documentation/uikit/uimenuelement/attributes>
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// <https://developer.apple.com/documentation/uikit/uimenuelement/state>
    public enum State: Int, Sendable {
        case off = 0
    }

    nonisolated override init() {
        super.init()
    }
}

/// <https://developer.apple.com/documentation/uikit/uiactionhandler>
public typealias UIActionHandler = (UIAction) -> Void

/// <https://developer.apple.com/documentation/uikit/uiaction>
@MainActor
open class UIAction: UIMenuElement {
    /// <https://developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct>
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    let shimHandler: UIActionHandler

    init(shimHandler: @escaping UIActionHandler) {
        self.shimHandler = shimHandler
    }

    /// <https://developer.apple.com/documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)>
    public convenience init(
        title: String = "",
        image: UIImage? = nil,
        identifier: UIAction.Identifier? = nil,
        discoverabilityTitle: String? = nil,
        attributes: UIMenuElement.Attributes = [],
        state: UIMenuElement.State = .off,
        handler: @escaping UIActionHandler
    ) {
        self.init(shimHandler: handler)
    }
}

/// <https://developer.apple.com/documentation/uikit/uicontrol>
@MainActor
open class UIControl: UIView {
    /// <https://developer.apple.com/documentation/uikit/uicontrol/event>
    public struct Event: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let valueChanged = Event(rawValue: 1 << 12)
        public static let editingChanged = Event(rawValue: 1 << 17)
    }

    open var isEnabled = true {
        didSet { shimChanged() }
    }
    private var actions: [(event: Event, action: UIAction)] = []

    open func addAction(_ action: UIAction, for controlEvents: Event) {
        actions.append((controlEvents, action))
    }

    /// <https://developer.apple.com/documentation/uikit/uicontrol/sendactions(for:)>
    open func sendActions(for controlEvents: Event) {
        for (event, action) in actions where !event.isDisjoint(with: controlEvents) {
            action.shimHandler(action)
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uicontrol/state>
    public struct State: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
    }
}

/// <https://developer.apple.com/documentation/uikit/uibutton>
@MainActor
open class UIButton: UIControl {
    /// <https://developer.apple.com/documentation/uikit/uibutton/buttontype>
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
    }

    private var titles: [UInt: String] = [:]

    public convenience init(type: ButtonType) {
        self.init(frame: .zero)
    }

    open func setTitle(_ title: String?, for state: State) {
        titles[state.rawValue] = title
        shimChanged()
    }

    /// <https://developer.apple.com/documentation/uikit/uibutton/settitlecolor(_:for:)>
    open func setTitleColor(_ color: UIColor?, for state: State) {}

    /// <https://developer.apple.com/documentation/uikit/uibutton/title(for:)>
    open func title(for state: State) -> String? { titles[state.rawValue] }
}

/// <https://developer.apple.com/documentation/uikit/uiswitch>
@MainActor
open class UISwitch: UIControl {
    /// <https://developer.apple.com/documentation/uikit/uiswitch/ison>
    open var isOn = false
}

/// <https://developer.apple.com/documentation/uikit/uikeyboardtype>
public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case phonePad = 5
    case emailAddress = 7
}

/// <https://developer.apple.com/documentation/uikit/uitextfield>
@MainActor
open class UITextField: UIControl {
    open var text: String?
    open var placeholder: String?
    open var keyboardType = UIKeyboardType.default

    /// <https://developer.apple.com/documentation/uikit/uitextfield/borderstyle-swift.enum>
    public enum BorderStyle: Int, Sendable {
        case none = 0
        case line = 1
        case bezel = 2
        case roundedRect = 3
    }

    open var borderStyle = BorderStyle.none
}

/// <https://developer.apple.com/documentation/uikit/uiprogressview>
@MainActor
open class UIProgressView: UIView {
    open var progress: Float = 0 {
        didSet { shimChanged() }
    }
}

/// <https://developer.apple.com/documentation/uikit/uistackview>
@MainActor
open class UIStackView: UIView {
    open private(set) var arrangedSubviews: [UIView] = []
    open var axis = NSLayoutConstraint.Axis.horizontal
    open var spacing: CGFloat = 0

    /// <https://developer.apple.com/documentation/uikit/uistackview/distribution-swift.enum>
    public enum Distribution: Int, Sendable {
        case fill = 0
        case fillEqually = 1
    }

    open var distribution = Distribution.fill

    public override init(frame: CGRect) {
        super.init(frame: frame)
    }

    public required init(coder: NSCoder) {
        super.init(frame: .zero)
    }

    public nonisolated override init() {
        super.init()
    }

    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    open func addArrangedSubview(_ view: UIView) {
        arrangedSubviews.append(view)
        addSubview(view)
    }
}

extension NSLayoutConstraint {
    /// <https://developer.apple.com/documentation/uikit/nslayoutconstraint/axis>
    public enum Axis: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }
}
