import Foundation
import NoroshiWire

/// A guest of the demo's tea house, whose phone always has the same id, so that a demo in the same
/// folder continues.
struct DemoGuest: Sendable {
    let id: String
    let phoneName: String
    let phone: UUID
    let attributes: [String: JSONValue]

    private init(
        _ number: UInt8,
        _ id: String,
        _ phoneName: String,
        _ attributes: [String: JSONValue]
    ) {
        self.id = id
        self.phoneName = phoneName
        self.attributes = attributes
        phone = UUID(
            uuid: (0x6E, 0x6F, 0x72, 0x6F, 0x73, 0x68, 0x49, 0, 0x80, 0, 0, 0, 0, 0, 0, number)
        )
    }

    static let all = [
        DemoGuest(
            1,
            "ada",
            "Ada’s iPhone",
            ["first_name": "Ada", "last_name": "Ito", "country": "JP", "favourite_tea": "sencha"]
        ),
        DemoGuest(
            2,
            "ben",
            "Ben’s Android",
            ["first_name": "Ben", "last_name": "Sato", "country": "JP", "favourite_tea": "hojicha"]
        ),
        DemoGuest(
            3,
            "mai",
            "Mai’s browser",
            ["first_name": "Mai", "last_name": "Costa", "country": "BR", "favourite_tea": "mate"]
        ),
    ]
}
