import Foundation
import Model
import NoroshiWire

/// Somebody of the sample, who signs up on a day and comes back as often as habits go.
struct SamplePerson: Sendable {
    private static let countries:
        [(country: String, language: String, zone: String, city: String)] = [
            ("JP", "ja", "Asia/Tokyo", "Kyoto"), ("JP", "ja", "Asia/Tokyo", "Osaka"),
            ("JP", "ja", "Asia/Tokyo", "Tokyo"), ("US", "en", "America/New_York", "New York"),
            ("BR", "pt", "America/Sao_Paulo", "São Paulo"), ("GB", "en", "Europe/London", "London"),
        ]
    private static let names = [
        "Aiko", "Ben", "Carla", "Daichi", "Emma", "Fumi", "Gabriel", "Hana", "Ivo", "Júlia",
        "Kenji",
        "Laura", "Mai", "Noah", "Olga", "Paulo", "Rin", "Sofia", "Taro", "Yuki",
    ]

    let id: String
    /// The day of the year on which the person signs up, from 0.
    let firstDay: Int
    let platform: String
    let installation: UUID
    let hasPush: Bool
    let attributes: [String: JSONValue]
    /// How likely a visit is on one of the first days.
    let zeal: Double
    /// By what share of each day the zeal is kept.
    let habit: Double

    init(_ number: Int, days: Int, _ chance: inout SampleChance) {
        id = "guest-\(number)"
        // More come later in the year.
        firstDay = Int((chance.share().squareRoot() * Double(days)).rounded(.down))
        let kind = chance.share()
        platform = kind < 0.55 ? "ios" : kind < 0.9 ? "android" : "web"
        let (high, low) = chance.bytes()
        installation = Self.identifier(high, low)
        hasPush = chance.happens(platform == "web" ? 0.2 : platform == "ios" ? 0.62 : 0.81)
        let home = chance.pick(Self.countries)
        attributes = [
            "first_name": .string(chance.pick(Self.names)), "country": .string(home.country),
            "language": .string(home.language), "time_zone": .string(home.zone),
            "home_city": .string(home.city),
            "favourite_tea": .string(
                chance.pick(["sencha", "hojicha", "matcha", "mate", "oolong"])
            ),
            "plan": .string(chance.happens(0.18) ? "club" : "free"),
        ]
        zeal = 0.12 + 0.35 * chance.share()
        habit = 0.955 + 0.042 * chance.share()
    }

    /// What a push service knows the device by; a browser's subscription has keys, which nobody made.
    var token: String? {
        let digits = installation.uuidString.lowercased().filter { $0 != "-" }
        switch platform {
        case "ios": return digits + digits
        case "android": return "sample:" + digits
        default: return nil
        }
    }

    /// How likely a visit is on a day of the year.
    func visits(on day: Int) -> Double {
        day < firstDay
            ? 0 : day == firstDay ? 1 : max(0.008, zeal * pow(habit, Double(day - firstDay)))
    }

    /// A random UUID (RFC 9562, version 4) of these bytes.
    private static func identifier(_ high: UInt64, _ low: UInt64) -> UUID {
        func byte(_ number: UInt64, _ place: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: number >> UInt64(8 * place))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4),
                byte(high, 5), 0x40 | byte(high, 6) & 0x0F, byte(high, 7),
                0x80 | byte(low, 0) & 0x3F, byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}
