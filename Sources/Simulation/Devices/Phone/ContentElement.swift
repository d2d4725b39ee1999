import NoroshiContent
import UIKit

/// A view of an expanded notification, as a page draws it: what the SDK's own views on the phone show.
package struct ContentElement: Sendable, Codable, Equatable, Identifiable {
    package enum Kind: String, Sendable, Codable {
        /// Other views, from top to bottom or side by side.
        case column, row
        case text, button, field, progress
        /// The disc of a wheel.
        case wheel
    }

    /// The place of the view below the first one, such as `0.2`.
    package var id: String
    package var kind: Kind
    /// The visible text; what is typed in a field.
    package var text = ""
    /// What a screen reader says instead of the text.
    package var label: String?
    package var isEnabled = true
    /// The hint in an empty field.
    package var placeholder: String?
    /// What the keyboard of a field is for: `email`, `tel` or `text`.
    package var keyboard: String?
    /// The share of a progress, 0 to 1.
    package var fraction: Double?
    /// The sectors of a wheel, clockwise from the top.
    package var sectors: [String]?
    /// How far a wheel has been turned clockwise, in degrees.
    package var degrees: Double?
    package var children: [ContentElement]?
}

extension ContentElement {
    /// What `view` shows; `nil` while it is hidden.
    @MainActor
    init?(_ view: UIView, id: String) {
        guard !view.isHidden else { return nil }
        self.init(id: id, kind: .column)
        label = view.accessibilityLabel
        switch view {
        case let view as UILabel:
            kind = .text
            text = view.text ?? ""
        case let view as UIButton:
            kind = .button
            text = view.title(for: .normal) ?? ""
            isEnabled = view.isEnabled
        case let view as UITextField:
            kind = .field
            text = view.text ?? ""
            placeholder = view.placeholder
            keyboard =
                switch view.keyboardType {
                case .emailAddress: "email"
                case .phonePad: "tel"
                case .default: "text"
                }
        case let view as UIProgressView:
            kind = .progress
            fraction = Double(view.progress)
        case let view as WheelDial:
            kind = .wheel
            sectors = view.labels.map { $0.text ?? "" }
            degrees = view.degrees
        default:
            if (view as? UIStackView)?.axis == .horizontal { kind = .row }
            children = view.subviews.enumerated().compactMap { index, child in
                ContentElement(child, id: "\(id).\(index)")
            }
        }
    }
}
