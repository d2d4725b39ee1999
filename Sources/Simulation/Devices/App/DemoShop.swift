import Noroshi
import NoroshiOutbox

/// A guest has looked at a tea.
struct ViewedTea: Noroshi.Event {
    var tea: String
    var price: Double
}

/// A tea is in the cart.
struct AddedToCart: Noroshi.Event {
    var tea: String
    var total: Double
}

/// A guest has an account now.
struct SignedUp: Noroshi.Event {
    var favorite: String?
}

/// The tea shop in the demo app: a menu, a cart, and what it tells the SDK, as in
/// `Examples/TeaHouse`.
struct DemoShop: Sendable {
    private(set) var state = VirtualPhoneState.Shop()

    /// Performs what the guest does, and records it.
    ///
    /// - Returns: What happened, for the log.
    /// - Throws: `VirtualPhoneError` if the shop cannot do it, `NoroshiError` if the SDK refuses it.
    mutating func perform(_ action: ShopAction, in noroshi: Noroshi) throws -> String {
        switch action {
        case .view(let name):
            guard let tea = VirtualPhoneState.Shop.menu.first(where: { $0.name == name }) else {
                throw VirtualPhoneError("there is no \(name) on the menu")
            }
            _ = try noroshi.log(ViewedTea(tea: tea.name, price: tea.price)).get()
            state.viewed = tea.name
            return "Looked at \(tea.name)"
        case .addToCart:
            guard let name = state.viewed,
                let tea = VirtualPhoneState.Shop.menu.first(where: { $0.name == name })
            else { throw VirtualPhoneError("nobody has looked at a tea yet") }
            let total = state.total + tea.price
            _ = try noroshi.log(AddedToCart(tea: name, total: total)).get()
            state.cart.append(tea)
            return "Put \(name) into the cart"
        case .buy:
            guard !state.cart.isEmpty else { throw VirtualPhoneError("the cart is empty") }
            for tea in state.cart {
                _ = try noroshi.logPurchase(
                    productId: tea.name,
                    currency: VirtualPhoneState.Shop.currency,
                    price: tea.price
                ).get()
            }
            let bought = state.cart.map(\.name).joined(separator: ", ")
            state.cart = []
            return "Bought \(bought)"
        case .signUp(let user):
            _ = try noroshi.changeUser(userId: user).get()
            _ = try noroshi.log(SignedUp(favorite: state.viewed)).get()
            return "Signed up as \(user)"
        }
    }

    /// The next guest begins with an empty cart.
    mutating func empty() { state = .init() }
}
