import Foundation
import Noroshi

/// The shop behind the screen: a cart, and what it tells the SDK.
@MainActor
final class Shop {
    /// One tea on the menu.
    struct Tea {
        var name: String
        var price: Double
    }

    static let menu = [
        Tea(name: "Sencha", price: 6.5),
        Tea(name: "Assam", price: 5),
        Tea(name: "Mate", price: 4.5),
    ]

    private let noroshi: Noroshi
    private(set) var cart: [Tea] = []
    private(set) var viewed = Shop.menu[0]

    init(_ noroshi: Noroshi) {
        self.noroshi = noroshi
    }

    var total: Double { cart.reduce(0) { $0 + $1.price } }

    var user: String? { noroshi.user.id }

    func view(_ tea: Tea) {
        viewed = tea
        noroshi.log(ViewedTea(tea: tea.name, price: tea.price))
    }

    func addToCart() {
        cart.append(viewed)
        noroshi.log(AddedToCart(tea: viewed.name, total: total))
    }

    func buy() {
        for tea in cart {
            noroshi.logPurchase(productId: tea.name, currency: "USD", price: tea.price)
        }
        cart = []
        // Whoever has bought something knows what a notification would be good for.
        let noroshi = noroshi
        Task { await noroshi.notifications.requestAuthorization(primer: Self.primer) }
    }

    func signUp(as name: String) {
        // The app's own name for the user: what was done without an account moves to it.
        noroshi.changeUser(userId: name)
        noroshi.log(SignedUp(favorite: viewed.name))
    }

    /// On a phone that several people use the next one begins as somebody new.
    func logOut() {
        let noroshi = noroshi
        Task {
            await noroshi.logout()
            noroshi.enabled = true
        }
    }

    /// Says what notifications are good for before the system asks, which it does only once.
    private static var primer: InAppMessage {
        var message = InAppMessage(
            id: "push-primer",
            kind: .modal,
            message: "We tell you when your tea is on its way, and nothing else.",
            rules: InAppMessageRules(triggers: [])
        )
        message.header = "Shall we tell you?"
        message.buttons = [
            .init(id: "0", text: "Not now"),
            .init(id: "1", text: "Yes, please", clickAction: .requestPushPermission),
        ]
        return message
    }
}
