#if canImport(UIKit)
import Foundation
import Noroshi
import NoroshiContent
import NoroshiWire
import UIKit

/// Draws a heading, a text, a picture and buttons over the app. It has no tap recogniser of its own,
/// so switches, pickers and lists that a subclass adds receive their touches.
open class NoroshiInAppMessageImmersiveViewController: NoroshiInAppMessageViewController {
    private(set) var buttons: [UIButton] = []

    /// Puts the views together.
    open override func viewDidLoad() {
        super.viewDidLoad()
        guard drawsMessage, let view else { return }
        view.backgroundColor = color("frame") ?? UIColor(red: 0, green: 0, blue: 0, alpha: 0.4)
        let card = UIView()
        card.backgroundColor = color("background") ?? .systemBackground
        let stack = UIStackView(arrangedSubviews: content())
        stack.axis = .vertical
        stack.spacing = 16
        card.translatesAutoresizingMaskIntoConstraints = false
        stack.translatesAutoresizingMaskIntoConstraints = false
        card.addSubview(stack)
        view.addSubview(card)
        NSLayoutConstraint.activate(
            place(card, in: view) + [
                stack.topAnchor.constraint(equalTo: card.topAnchor, constant: 40),
                stack.leadingAnchor.constraint(equalTo: card.leadingAnchor, constant: 25),
                stack.trailingAnchor.constraint(equalTo: card.trailingAnchor, constant: -25),
                stack.bottomAnchor.constraint(equalTo: card.bottomAnchor, constant: -30),
            ]
        )
    }

    /// Where the card lies: in the middle, unless a subclass says otherwise.
    func place(_ card: UIView, in view: UIView) -> [NSLayoutConstraint] {
        [
            card.centerYAnchor.constraint(equalTo: view.centerYAnchor),
            card.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 20),
            card.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -20),
        ]
    }

    private func content() -> [UIView] {
        let message = inAppMessage as? NoroshiInAppMessageImmersive
        var views: [UIView] = [
            UIButton.noroshiClose(color: color("close")) { [weak self] in self?.dismissByUser() }
        ]
        if let image { views.append(picture(image)) }
        if message?.isImageOnly != true {
            if let header = message?.header {
                views.append(label(header, style: .headline, slot: "header"))
            }
            views.append(label(inAppMessage.message, style: .body, slot: "text"))
        }
        buttons = (message?.buttons ?? []).map(button)
        return views + buttons
    }

    /// A picture that does what a tap on the message is meant to do.
    private func picture(_ image: UIImage) -> UIView {
        let picture = UIImageView(image: image)
        picture.accessibilityLabel = context.message.imageAltText
        guard inAppMessage.clickAction != .none, buttons.isEmpty else { return picture }
        let control = UIControl()
        control.accessibilityLabel = context.message.imageAltText
        picture.translatesAutoresizingMaskIntoConstraints = false
        control.addSubview(picture)
        control.addAction(UIAction { [weak self] _ in self?.click() }, for: .touchUpInside)
        NSLayoutConstraint.activate([
            picture.topAnchor.constraint(equalTo: control.topAnchor),
            picture.bottomAnchor.constraint(equalTo: control.bottomAnchor),
            picture.leadingAnchor.constraint(equalTo: control.leadingAnchor),
            picture.trailingAnchor.constraint(equalTo: control.trailingAnchor),
        ])
        return control
    }

    private func label(_ text: String, style: UIFont.TextStyle, slot: String) -> UILabel {
        let label = UILabel.noroshi(style)
        label.text = text
        if let color = color(slot) { label.textColor = color }
        return label
    }

    private func button(_ described: InAppMessage.Button) -> UIButton {
        let button = UIButton(type: .system)
        button.setTitle(described.text, for: .normal)
        if let color = described.colors?["text"].flatMap(UIColor.init(argb:)) {
            button.setTitleColor(color, for: .normal)
        }
        button.backgroundColor = described.colors?["background"].flatMap(UIColor.init(argb:))
        button.addAction(
            UIAction { [weak self] _ in self?.click(buttonId: described.id) },
            for: .touchUpInside
        )
        return button
    }
}

/// Draws a card over the app.
open class NoroshiInAppMessageModalViewController: NoroshiInAppMessageImmersiveViewController {}

/// Draws a page over the app.
open class NoroshiInAppMessageFullViewController: NoroshiInAppMessageImmersiveViewController {
    override func place(_ card: UIView, in view: UIView) -> [NSLayoutConstraint] {
        [
            card.topAnchor.constraint(equalTo: view.topAnchor),
            card.bottomAnchor.constraint(equalTo: view.bottomAnchor),
            card.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            card.trailingAnchor.constraint(equalTo: view.trailingAnchor),
        ]
    }
}
#endif
