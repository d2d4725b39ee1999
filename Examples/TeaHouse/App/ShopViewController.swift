import Foundation
import UIKit

/// The one screen of the shop.
final class ShopViewController: UIViewController {
    private let shop: Shop
    private let status = UILabel()
    private let name = UITextField()

    init(_ shop: Shop) {
        self.shop = shop
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        preconditionFailure("the screen is made in code")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        guard let view else { return }
        view.backgroundColor = .systemBackground
        let title = UILabel()
        title.text = "Tea House"
        title.font = .preferredFont(forTextStyle: .headline)
        name.placeholder = "Your name"
        name.borderStyle = .roundedRect
        status.numberOfLines = 0
        let teas = Shop.menu.map { tea in
            button(tea.name) { shop in shop.view(tea) }
        }
        let column = UIStackView(
            arrangedSubviews: [title] + teas + [
                button("Add to cart") { $0.addToCart() },
                button("Buy") { $0.buy() },
                name,
                button("Sign up") { [name] shop in
                    if let text = name.text, !text.isEmpty { shop.signUp(as: text) }
                },
                button("Log out") { $0.logOut() },
                status,
            ]
        )
        column.axis = .vertical
        column.spacing = 12
        column.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(column)
        NSLayoutConstraint.activate([
            column.topAnchor.constraint(
                equalTo: view.safeAreaLayoutGuide.topAnchor,
                constant: 16
            ),
            column.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 20),
            column.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -20),
        ])
        show()
    }

    /// Shows where a link has led to.
    func open(_ address: URL) {
        if let tea = Shop.menu.first(where: { $0.name.lowercased() == address.lastPathComponent }) {
            shop.view(tea)
        }
        show()
    }

    private func button(_ title: String, _ work: @escaping (Shop) -> Void) -> UIButton {
        let button = UIButton(type: .system)
        button.setTitle(title, for: .normal)
        let action = UIAction { [weak self] _ in
            guard let self else { return }
            work(shop)
            show()
        }
        button.addAction(action, for: .touchUpInside)
        return button
    }

    private func show() {
        let guest = shop.user ?? "guest"
        status.text = "\(guest) looks at \(shop.viewed.name); \(shop.cart.count) in the cart"
    }
}
