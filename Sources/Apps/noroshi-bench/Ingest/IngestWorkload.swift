import Foundation
import NIOCore

/// Bodies of `/users/track` as a shop's back end sends them.
struct IngestWorkload: Sendable {
    /// Events of one body, the most that Braze's interface allows.
    static let eventsOfBody = 75
    static let names = [
        "viewed_product", "added_to_cart", "removed_from_cart", "searched", "opened_app",
        "shared", "rated", "watched_video", "completed_level", "checkout_started",
    ]

    let users: Int
    let now: Date

    /// - Parameter number: The same number gives the same body.
    func body(_ number: Int) -> [UInt8] {
        var text = "{\"events\":["
        for index in 0..<Self.eventsOfBody {
            let seed = Self.mix(UInt64(number * Self.eventsOfBody + index))
            let user = Int(seed % UInt64(users))
            let name = Self.names[Int(seed >> 20) % Self.names.count]
            let time = Self.time(now.addingTimeInterval(-Double(seed >> 40 & 0xFFFF) / 10))
            if index > 0 { text += "," }
            text += """
                {"external_id":"user-\(user)","name":"\(name)","time":"\(time)",\
                "properties":{"product_id":"sku-\(seed >> 8 & 0xFFF)","category":"お茶",\
                "price":\(Double(seed >> 16 & 0x3FFF) / 100),"position":\(seed >> 30 & 31),\
                "in_stock":\(seed >> 50 & 1 == 1)}}
                """
        }
        return Array((text + "]}").utf8)
    }

    /// A request over HTTP/1.1 as it goes over the wire.
    func request(_ number: Int, host: String, key: String, requestKey: String?) -> ByteBuffer {
        let body = body(number)
        var head = """
            POST /users/track HTTP/1.1\r
            Host: \(host)\r
            Authorization: Bearer \(key)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r

            """
        if let requestKey { head += "Idempotency-Key: \(requestKey)\r\n" }
        return ByteBuffer(bytes: Array((head + "\r\n").utf8) + body)
    }

    private static func time(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }

    /// Spreads numbers, by the finaliser of SplitMix64.
    static func mix(_ number: UInt64) -> UInt64 {
        var value = number &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
