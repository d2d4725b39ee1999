import SyntheticAudience

/// The six segments as specialized loops over specialized arrays, for comparison with the general
/// evaluator. One thread.
struct HardCodedLoops {
    fileprivate struct Activity {
        var users: [UInt32] = []
        /// In ascending order, Unix seconds.
        var times: [UInt32] = []

        /// Calls `body` with the users of all occurrences since a time.
        @inline(__always)
        func forEachUser(from moment: Int64, _ body: (Int) -> Void) {
            var low = 0
            var high = times.count
            while low < high {
                let middle = (low + high) / 2
                if Int64(times[middle]) < moment { low = middle + 1 } else { high = middle }
            }
            users.withUnsafeBufferPointer { users in
                for index in low..<users.count { body(Int(users[index])) }
            }
        }
    }

    private let now: Int64
    private var isGerman: [Bool] = []
    private var isGermanOrFrench: [Bool] = []
    private var isSpanish: [Bool] = []
    private var isPro: [Bool] = []
    private var lastSession: [UInt32] = []
    private var sessions: [UInt16] = []
    private var isRunner: [Bool] = []
    /// `-1` for users without one.
    private var codes: [Int32] = []
    private var distinctCodes: [String] = []
    private var points: [Int32] = []
    private var isVIP: [Bool] = []
    private var score: [Int8] = []
    private var isUnsubscribed: [Bool] = []
    private var devices: [UInt8] = []
    private var purchases = Activity()
    private var carts = Activity()
    private var favorites = Activity()

    private static let day: Int64 = 86_400

    init(_ audience: SyntheticAudience) {
        now = audience.now
        var numbers: [String: Int32] = [:]
        for number in 0..<audience.users {
            let user = audience.user(number)
            isGerman.append(user.country == "DE")
            isGermanOrFrench.append(user.country == "DE" || user.country == "FR")
            isSpanish.append(user.language == "es")
            isPro.append(user.attributes.plan == "pro")
            lastSession.append(UInt32(user.lastSessionAt))
            sessions.append(UInt16(user.sessionCount))
            isRunner.append(user.attributes.interests.contains("running"))
            if let code = user.attributes.referralCode {
                let known = numbers[code]
                codes.append(known ?? Int32(distinctCodes.count))
                if known == nil {
                    numbers[code] = Int32(distinctCodes.count)
                    distinctCodes.append(code)
                }
            } else {
                codes.append(-1)
            }
            points.append(Int32(user.attributes.loyaltyPoints))
            isVIP.append(user.attributes.isVIP)
            score.append(Int8(user.attributes.nps ?? -1))
            isUnsubscribed.append(user.pushSubscribe == "unsubscribed")
            devices.append(UInt8(user.devices.count))
        }
        let names = SyntheticAudience.eventNames
        audience.forEachEvent(in: 0..<audience.events) { event in
            switch names[event.name] {
            case "purchase": purchases.add(event)
            case "add_to_cart": carts.add(event)
            case "favorite": favorites.add(event)
            default: break
            }
        }
    }

    /// The counts, by the names of `audience-expected.json`.
    func counts(of segment: String) -> [String: Int] {
        switch segment {
        case "a": [segment: germanPros()]
        case "b": [segment: recentBuyers()]
        case "c": [segment: runnersWithoutCart()]
        case "d": [segment: codesEndingInSeven()]
        case "e": [segment: mixed()]
        default: reachable()
        }
    }

    private func germanPros() -> Int {
        var count = 0
        for user in isGerman.indices where isGerman[user] && isPro[user] { count += 1 }
        return count
    }

    private func recentBuyers() -> Int {
        var bought = [UInt8](repeating: 0, count: devices.count)
        purchases.forEachUser(from: now - 30 * Self.day) { user in
            bought[user] = min(bought[user], 254) + 1
        }
        let moment = UInt32(now - 7 * Self.day)
        var count = 0
        for user in bought.indices where bought[user] >= 3 && lastSession[user] >= moment {
            count += 1
        }
        return count
    }

    private func runnersWithoutCart() -> Int {
        var hasCart = [Bool](repeating: false, count: devices.count)
        carts.forEachUser(from: now - 14 * Self.day) { hasCart[$0] = true }
        var count = 0
        for user in hasCart.indices where isRunner[user] && !hasCart[user] { count += 1 }
        return count
    }

    private func codesEndingInSeven() -> Int {
        let fits = distinctCodes.map { code in
            let bytes = Array(code.utf8)
            return (code.hasPrefix("SUMMER-") || code.hasPrefix("WINTER-")) && bytes.count == 11
                && bytes[7...].allSatisfy { (0x30...0x39).contains($0) } && bytes[10] == 0x37
        }
        var count = 0
        for code in codes where code >= 0 && fits[Int(code)] { count += 1 }
        return count
    }

    private func mixed() -> Int {
        var hasFavorite = [Bool](repeating: false, count: devices.count)
        favorites.forEachUser(from: now - 7 * Self.day) { hasFavorite[$0] = true }
        var count = 0
        for user in hasFavorite.indices
        where (isGermanOrFrench[user] || isSpanish[user]) && (isPro[user] || points[user] >= 5_000)
            && (isVIP[user] || score[user] >= 9) && (sessions[user] > 20 || hasFavorite[user])
        {
            count += 1
        }
        return count
    }

    private func reachable() -> [String: Int] {
        var users = 0
        var tokens = 0
        for user in devices.indices where !isUnsubscribed[user] && devices[user] > 0 {
            users += 1
            tokens += Int(devices[user])
        }
        return ["f_users": users, "f_tokens": tokens]
    }
}

fileprivate extension HardCodedLoops.Activity {
    mutating func add(_ event: SyntheticAudience.Event) {
        users.append(UInt32(event.user))
        times.append(UInt32(event.time))
    }
}
