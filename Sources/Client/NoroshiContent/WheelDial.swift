#if canImport(UIKit)
import Foundation
import UIKit

/// The disc of a wheel: a sector for each prize, clockwise from the top.
@MainActor
package final class WheelDial: UIView {
    package let labels: [UILabel]
    /// How far the disc has been turned clockwise, in degrees.
    package private(set) var degrees = 0.0

    /// Dark enough for white text. Neighbors differ, also the last one and the first.
    static let colors = [
        UIColor(red: 0.78, green: 0.25, blue: 0.10, alpha: 1),
        UIColor(red: 0.36, green: 0.16, blue: 0.30, alpha: 1),
        UIColor(red: 0.16, green: 0.14, blue: 0.31, alpha: 1),
    ]

    init(_ prizes: [String]) {
        labels = prizes.map { prize in
            let label = UILabel.noroshi(.footnote)
            label.text = prize
            label.textColor = .white
            label.textAlignment = .center
            return label
        }
        super.init(frame: .zero)
        backgroundColor = .clear
        // The labels are read in the order of the disc, whichever way it is turned.
        for label in labels { addSubview(label) }
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        preconditionFailure("the view is made in code")
    }

    /// The color of the sector `index` of `count`.
    static func color(_ index: Int, of count: Int) -> UIColor {
        let isLastBesideItsEqual = index == count - 1 && index > 0 && index % colors.count == 0
        return colors[isLastBesideItsEqual ? 1 : index % colors.count]
    }

    package override func draw(_ rect: CGRect) {
        let center = CGPoint(x: bounds.width / 2, y: bounds.height / 2)
        for index in labels.indices {
            let sector = UIBezierPath()
            sector.move(to: center)
            sector.addArc(
                withCenter: center,
                radius: min(bounds.width, bounds.height) / 2,
                startAngle: angle(of: index),
                endAngle: angle(of: index + 1),
                clockwise: true
            )
            sector.close()
            Self.color(index, of: labels.count).setFill()
            sector.fill()
        }
    }

    package override func layoutSubviews() {
        super.layoutSubviews()
        let radius = min(bounds.width, bounds.height) / 2
        for (index, label) in labels.enumerated() {
            let middle = (angle(of: index) + angle(of: index + 1)) / 2
            label.bounds = CGRect(x: 0, y: 0, width: radius * 0.7, height: radius * 0.5)
            label.center = CGPoint(
                x: bounds.width / 2 + cos(middle) * radius * 0.6,
                y: bounds.height / 2 + sin(middle) * radius * 0.6
            )
            label.transform = CGAffineTransform(rotationAngle: middle + .pi / 2)
        }
    }

    /// Turns the disc clockwise by `degrees`, so that it takes `seconds`; at once for whoever wants
    /// less motion.
    func turn(by degrees: Double, seconds: TimeInterval) {
        let end = CGFloat(degrees) * .pi / 180
        if !UIAccessibility.isReduceMotionEnabled {
            // A change of the transform alone would take the shortest way.
            let animation = CABasicAnimation(keyPath: "transform.rotation.z")
            animation.fromValue = CGFloat(self.degrees) * .pi / 180
            animation.toValue = end
            animation.duration = seconds
            animation.timingFunction = CAMediaTimingFunction(name: .easeOut)
            layer.add(animation, forKey: "turn")
        }
        self.degrees = degrees
        transform = CGAffineTransform(rotationAngle: end)
    }

    /// Where the sector `index` begins; 0 points to the right.
    private func angle(of index: Int) -> CGFloat {
        CGFloat(index) / CGFloat(labels.count) * 2 * .pi - .pi / 2
    }
}
#endif
