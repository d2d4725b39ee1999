import Noroshi

/// What a guest does. The compiler checks the properties; the names on the server are those of the
/// types, such as `viewed_tea`.
struct ViewedTea: Noroshi.Event {
    var tea: String
    var price: Double
}

/// A tea is in the cart.
struct AddedToCart: Noroshi.Event {
    var tea: String
    var total: Double
}

/// Somebody has an account now.
struct SignedUp: Noroshi.Event {
    var favorite: String
}
