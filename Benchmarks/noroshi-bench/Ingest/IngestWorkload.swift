import Foundation

/// Bodies of `/users/track` like those of a shop's back end.
struct IngestWorkload: Sendable {
    /// Number of events per body, the maximum of Braze's interface.
    static let eventsOfBody = 75
    static let names = [
        "viewed_product", "added_to_cart", "removed_from_cart", "searched", "opened_app",
        "shared", "rated", "watched_video", "completed_level", "checkout_started",
    ]

    /// Maximum time between an event and its request, in seconds.
    enum Delay: Double {
        /// Like a back end: within two seconds.
        case live = 2
        /// Like phones that were offline: within two hours.
        case late = 7200
    }

    let users: Int

    /// - Parameters:
    ///   - number: The same number gives the same body at the same date.
    ///   - date: When the body is sent; each event is older by a different part of `delay`.
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

    /// An HTTP/1.1 request as sent on the wire.
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

    /// In milliseconds, always of equal length.
    static func time(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    }

    /// Distributes numbers with the finalizer of SplitMix64.
    static func mix(_ number: UInt64) -> UInt64 {
        var value = number &+ 0x9E37_79B9_7F4A_7C15
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
