import Foundation

/// <https://developer.apple.com/documentation/corefoundation/cgaffinetransform>
public struct CGAffineTransform: Sendable, Equatable {
    /// Shim only: the angle by which it turns, in radians.
    public var shimAngle: CGFloat = 0

    /// <https://developer.apple.com/documentation/corefoundation/cgaffinetransform/identity>
    public static let identity = CGAffineTransform(rotationAngle: 0)

    /// <https://developer.apple.com/documentation/corefoundation/cgaffinetransform/init(rotationangle:)>
    public init(rotationAngle angle: CGFloat) {
        shimAngle = angle
    }
}

/// Shim only: what is drawn, in place of a screen.
public enum ShimCanvas {
    /// A filled sector.
    public struct Sector: Sendable {
        public var start: CGFloat
        public var end: CGFloat
        public var radius: CGFloat
        public var color: UIColor
    }

    private static let lock = NSLock()
    // Both are touched only with the lock.
    nonisolated(unsafe) private static var color = UIColor.clear
    nonisolated(unsafe) private static var filled: [Sector] = []

    static func choose(_ color: UIColor) {
        lock.withLock { self.color = color }
    }

    static func fill(from start: CGFloat, to end: CGFloat, radius: CGFloat) {
        lock.withLock {
            filled.append(Sector(start: start, end: end, radius: radius, color: color))
        }
    }

    /// The sectors that `body` fills.
    @MainActor
    public static func sectors(_ body: () -> Void) -> [Sector] {
        lock.withLock { filled = [] }
        body()
        return lock.withLock { filled }
    }
}

/// <https://developer.apple.com/documentation/uikit/uibezierpath>
open class UIBezierPath: NSObject {
    private var arc: (start: CGFloat, end: CGFloat, radius: CGFloat)?

    /// <https://developer.apple.com/documentation/uikit/uibezierpath/move(to:)>
    open func move(to point: CGPoint) {}

    /// <https://developer.apple.com/documentation/uikit/uibezierpath/addarc(withcenter:radius:startangle:endangle:clockwise:)>
    open func addArc(
        withCenter center: CGPoint,
        radius: CGFloat,
        startAngle: CGFloat,
        endAngle: CGFloat,
        clockwise: Bool
    ) {
        arc = (startAngle, endAngle, radius)
    }

    /// <https://developer.apple.com/documentation/uikit/uibezierpath/close()>
    open func close() {}

    /// <https://developer.apple.com/documentation/uikit/uibezierpath/fill()>
    open func fill() {
        guard let arc else { return }
        ShimCanvas.fill(from: arc.start, to: arc.end, radius: arc.radius)
    }
}

/// Nothing moves on Linux.
/// <https://developer.apple.com/documentation/quartzcore/calayer>
open class CALayer: NSObject {
    /// Shim only: the animations by key.
    public private(set) var shimAnimations: [String: CAAnimation] = [:]

    /// <https://developer.apple.com/documentation/quartzcore/calayer/add(_:forkey:)>
    open func add(_ anim: CAAnimation, forKey key: String?) {
        shimAnimations[key ?? ""] = anim
    }
}

/// <https://developer.apple.com/documentation/quartzcore/caanimation>
open class CAAnimation: NSObject {
    /// <https://developer.apple.com/documentation/quartzcore/camediatiming/duration>
    open var duration: CFTimeInterval = 0

    /// <https://developer.apple.com/documentation/quartzcore/caanimation/timingfunction>
    open var timingFunction: CAMediaTimingFunction?
}

/// <https://developer.apple.com/documentation/quartzcore/capropertyanimation>
open class CAPropertyAnimation: CAAnimation {
    /// <https://developer.apple.com/documentation/quartzcore/capropertyanimation/init(keypath:)>
    public convenience init(keyPath path: String?) {
        self.init()
    }
}

/// <https://developer.apple.com/documentation/quartzcore/cabasicanimation>
open class CABasicAnimation: CAPropertyAnimation {
    /// <https://developer.apple.com/documentation/quartzcore/cabasicanimation/fromvalue>
    open var fromValue: Any?

    /// <https://developer.apple.com/documentation/quartzcore/cabasicanimation/tovalue>
    open var toValue: Any?
}

/// <https://developer.apple.com/documentation/corefoundation/cftimeinterval>
public typealias CFTimeInterval = Double

/// <https://developer.apple.com/documentation/quartzcore/camediatimingfunction>
open class CAMediaTimingFunction: NSObject {
    /// <https://developer.apple.com/documentation/quartzcore/camediatimingfunction/init(name:)>
    public convenience init(name: CAMediaTimingFunctionName) {
        self.init()
    }
}

/// <https://developer.apple.com/documentation/quartzcore/camediatimingfunctionname>
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
}
