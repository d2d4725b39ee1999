#if canImport(UIKit)
import Foundation
import Noroshi
import NoroshiContent
import UIKit

/// Draws a slideup at its edge. A subclass moves it by ``offset``.
open class NoroshiInAppMessageSlideupViewController: NoroshiInAppMessageViewController {
    /// The constraint between the strip and its edge.
    public var slideConstraint: NSLayoutConstraint?

    /// Points between the strip and the safe area of its edge; 10 unless set.
    open var offset: CGFloat = 10 {
        didSet { slideConstraint?.constant = distance }
    }

    private var comesFromTop: Bool {
        (inAppMessage as? NoroshiInAppMessageSlideup)?.slideFrom == .top
    }

    private var distance: CGFloat { comesFromTop ? offset : -offset }

    /// Puts the views together.
    open override func viewDidLoad() {
        super.viewDidLoad()
        guard drawsMessage, let view else { return }
        let strip = UIControl()
        strip.backgroundColor = color("background") ?? .systemBackground
        strip.accessibilityLabel = inAppMessage.message
        strip.addAction(UIAction { [weak self] _ in self?.click() }, for: .touchUpInside)
        let label = UILabel.noroshi(.body)
        label.text = inAppMessage.message
        label.textColor = color("text") ?? .label
        let closeButton = UIButton.noroshiClose(color: color("close")) { [weak self] in
            self?.dismissByUser()
        }
        let picture = image.map { UIImageView(image: $0) }
        let row = UIStackView(arrangedSubviews: [picture, label, closeButton].compactMap { $0 })
        row.spacing = 15
        row.translatesAutoresizingMaskIntoConstraints = false
        strip.translatesAutoresizingMaskIntoConstraints = false
        strip.addSubview(row)
        view.addSubview(strip)
        let guide = view.safeAreaLayoutGuide
        let edge =
            comesFromTop
            ? strip.topAnchor.constraint(equalTo: guide.topAnchor, constant: distance)
            : strip.bottomAnchor.constraint(equalTo: guide.bottomAnchor, constant: distance)
        slideConstraint = edge
        NSLayoutConstraint.activate([
            edge,
            strip.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 10),
            strip.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -10),
            row.topAnchor.constraint(equalTo: strip.topAnchor, constant: 15),
            row.bottomAnchor.constraint(equalTo: strip.bottomAnchor, constant: -15),
            row.leadingAnchor.constraint(equalTo: strip.leadingAnchor, constant: 20),
            row.trailingAnchor.constraint(equalTo: strip.trailingAnchor, constant: -20),
        ])
    }
}

extension UIButton {
    /// A button that closes a message, large enough for a finger.
    static func noroshiClose(color: UIColor?, _ close: @escaping () -> Void) -> UIButton {
        let button = UIButton(type: .system)
        button.setTitle("✕", for: .normal)
        button.accessibilityLabel = "Close"
        if let color { button.setTitleColor(color, for: .normal) }
        button.addAction(UIAction { _ in close() }, for: .touchUpInside)
        NSLayoutConstraint.activate([
            button.widthAnchor.constraint(greaterThanOrEqualToConstant: 44),
            button.heightAnchor.constraint(greaterThanOrEqualToConstant: 44),
        ])
        return button
    }
}
#endif
