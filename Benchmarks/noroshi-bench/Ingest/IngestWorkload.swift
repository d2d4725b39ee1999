import Foundation

/// Bodies of `/users/track` as a shop's back end sends them.
struct IngestWorkload: Sendable {
    /// Events of one body, the most that Braze's interface allows.
    static let eventsOfBody = 75
    static let names = [
        "viewed_product", "added_to_cart", "removed_from_cart", "searched", "opened_app",
        "shared", "rated", "watched_video", "completed_level", "checkout_started",
    ]

    /// How long before its request an event happened.
    enum Delay: Double {
        /// As a back end tells them: within two seconds.
        case live = 2
        /// As phones tell them that were offline: within two hours.
        case late = 7200
    }

    let users: Int

    /// - Parameters:
    ///   - number: The same number gives the same body at the same date.
    ///   - date: when the body is sent; its events are older, each by an own part of `delay`.
    func body(_ number: Int, at date: Date, _ delay: Delay = .live) -> [UInt8] {
        var text = "{\"events\":["
        for index in 0..<Self.eventsOfBody {
            let seed = Self.mix(UInt64(number * Self.eventsOfBody + index))
            let user = Int(seed % UInt64(users))
            let name = Self.names[Int(seed >> 20) % Self.names.count]
            let part = Double(seed >> 40 & 0xFFFF) / 65_536
            let time = Self.time(date.addingTimeInterval(-delay.rawValue * part))
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
    static func request(_ body: [UInt8], host: String, key: String, requestKey: String?) -> [UInt8]
    {
        var head = """
            POST /users/track HTTP/1.1\r
            Host: \(host)\r
            Authorization: Bearer \(key)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r

            """
        if let requestKey { head += "Idempotency-Key: \(requestKey)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// To the millisecond, always of one length.
    static func time(_ date: Date) -> String {
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
