#if canImport(UIKit)
import UIKit

extension UILabel {
    /// A label for text of any length in the user's own size.
    package static func noroshi(_ style: UIFont.TextStyle) -> UILabel {
        let label = UILabel()
        label.numberOfLines = 0
        label.font = .preferredFont(forTextStyle: style)
        label.textColor = .label
        return label
    }
}
#endif
