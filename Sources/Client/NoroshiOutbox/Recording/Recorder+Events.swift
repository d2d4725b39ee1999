import Foundation
import NoroshiWire

extension Recorder {
    /// Records an event with dynamic properties.
    package func logEvent(
        name: String,
        properties: [AnyHashable: Any]?
    ) -> Result<UUID, NoroshiError> {
        guard let members = JSONValue.members(properties ?? [:]) else {
            return refuse(
                InputValidator.invalid(
                    "properties",
                    "a key is no string or a value has no JSON form"
                )
            )
        }
        return logEvent(name: name, members: members)
    }

    /// Records an event.
    package func logEvent(
        name: String,
        members: [String: JSONValue]
    ) -> Result<UUID, NoroshiError> {
        do throws(NoroshiError) {
            try InputValidator.check(name: name, field: "name")
            try InputValidator.check(properties: members)
        } catch {
            return refuse(error)
        }
        return record(.event(name: name, properties: members))
    }

    /// Records a typed event.
    package func logEvent<Event: NoroshiEvent>(_ event: Event) -> Result<UUID, NoroshiError> {
        do {
            return logEvent(name: Event.name, members: try event.properties())
        } catch {
            return refuse(
                InputValidator.invalid(
                    "properties",
                    "\(Event.self) is not encoded as an object: \(error)"
                )
            )
        }
    }

    /// Records a purchase of `quantity` pieces at `price` each.
    package func logPurchase(
        productID: String,
        currency: String,
        price: Double,
        quantity: Int,
        properties: [AnyHashable: Any]?
    ) -> Result<UUID, NoroshiError> {
        guard let members = JSONValue.members(properties ?? [:]) else {
            return refuse(
                InputValidator.invalid(
                    "properties",
                    "a key is no string or a value has no JSON form"
                )
            )
        }
        let code = currency.uppercased()
        do throws(NoroshiError) {
            try InputValidator.check(name: productID, field: "productId")
            guard code.count == 3, code.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                throw InputValidator.invalid(
                    "currency",
                    "\(currency) is not a code of ISO 4217, such as JPY"
                )
            }
            guard price.isFinite else {
                throw InputValidator.invalid("price", "the number is not finite")
            }
            guard (1...InputValidator.purchaseQuantityMaximum).contains(quantity) else {
                throw InputValidator.invalid(
                    "quantity",
                    "\(quantity) is not between 1 and \(InputValidator.purchaseQuantityMaximum)"
                )
            }
            try InputValidator.check(properties: members)
        } catch {
            return refuse(error)
        }
        return record(
            .purchase(
                product: productID,
                currency: code,
                price: price,
                quantity: quantity,
                properties: members
            )
        )
    }
}
