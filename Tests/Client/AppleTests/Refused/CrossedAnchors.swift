// swift 5: NSLayoutXAxisAnchor
// swift 6: NSLayoutXAxisAnchor
import UIKit

@MainActor
func constraint(_ view: UIView) -> NSLayoutConstraint {
    view.topAnchor.constraint(equalTo: view.leadingAnchor)
}
