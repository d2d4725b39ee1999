import Foundation

/// Users and events as `generate_audience.py` makes them, computed in this process.
///
/// Every value is a function of seed, stream and index, so any row can be made by itself and any
/// range of rows on any worker.
package struct SyntheticAudience: Sendable {
    package let users: Int
    package let events: Int
    package let days: Int
    /// The moment the data ends, Unix seconds.
    package let now: Int64
    private let userKeys: [UInt64]
    private let sessionKey: UInt64
    private let eventKey: UInt64
    private let multiplier: Int

    private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15
    private static let fraction24: UInt64 = (1 << 24) - 1
    private static let day = 86_400

    /// 2026-06-30T00:00:00Z.
    package static let usualNow: Int64 = 1_782_777_600

    package static let eventNames = SyntheticVocabulary.events

    package init(
        users: Int,
        events: Int,
        days: Int = 90,
        seed: UInt64 = 1,
        now: Int64 = usualNow
    ) {
        self.users = users
        self.events = events
        self.days = days
        self.now = now
        userKeys = (1...12).map { Self.key(seed, $0) }
        sessionKey = Self.key(seed, 101)
        eventKey = Self.key(seed, 102)
        // Coprime to the number of users, to spread the busy ones.
        var multiplier = 1_000_003
        while users > 0, users % multiplier == 0 { multiplier += 2 }
        self.multiplier = multiplier
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func key(_ seed: UInt64, _ stream: UInt64) -> UInt64 {
        mix(mix(seed &+ golden) &+ stream &* golden)
    }

    private static func cumulative(_ weights: [Double]) -> [UInt64] {
        let total = weights.reduce(0, +)
        var sum = 0.0
        var bounds = weights.map { weight in
            sum += weight
            return UInt64(sum / total * Double(1 << 24))
        }
        bounds[bounds.count - 1] = 1 << 24
        return bounds
    }

    private static let countryBounds = cumulative(
        SyntheticVocabulary.countries.map { Double($0.weight) }
    )
    private static let planBounds = cumulative(
        SyntheticVocabulary.plans.map { Double($0.weight) }
    )
    /// The event name for each 24-bit number, as a table for speed.
    private static let nameTable: [UInt8] = {
        let bounds = cumulative(
            SyntheticVocabulary.events.indices.map { 1 / pow(Double($0 + 1), 1.1) }
        )
        var table: [UInt8] = []
        table.reserveCapacity(1 << 24)
        for (name, bound) in bounds.enumerated() {
            table.append(
                contentsOf: repeatElement(UInt8(name), count: Int(bound) - table.count)
            )
        }
        return table
    }()

    private static func choice(_ bounds: [UInt64], _ value: UInt64) -> Int {
        bounds.firstIndex { value < $0 } ?? bounds.count - 1
    }

    private static func subset(_ random: UInt64, count: UInt64, of words: [String]) -> [String] {
        var seen: UInt64 = 0
        for index in 0..<count {
            seen |= 1 << ((random >> (4 + 8 * index)) % UInt64(words.count))
        }
        return words.indices.filter { seen >> UInt64($0) & 1 == 1 }.map { words[$0] }
    }

    /// The user with this number.
    package func user(_ number: Int) -> SyntheticUser {
        let step = UInt64(number) &* Self.golden
        let random = userKeys.map { Self.mix($0 &+ step) }
        var bits = random[0]
        let country = SyntheticVocabulary.countries[
            Self.choice(Self.countryBounds, bits & Self.fraction24)
        ]
        let firstName = SyntheticVocabulary.firstNames[Int(bits >> 24 & 31)]
        let lastName = SyntheticVocabulary.lastNames[Int(bits >> 29 & 31)]
        let gender = SyntheticVocabulary.genders[Int(bits >> 34 & 3)]
        let birthDay = Int((bits >> 36) % 20_000) - 7_305

        bits = random[1]
        let createdAt = now - 86_400 - Int64((bits & 0xFFFF_FFFF) % UInt64(3 * 365 * Self.day))
        let activity = Double(bits >> 32) / 0x1p32
        let idle = Int64(Double(180 * Self.day) * pow(activity, 3))
        let lastSessionAt = max(createdAt, now - idle)

        bits = random[2]
        let sessions = Double(bits & Self.fraction24) / 0x1p24
        let pushShare = (bits >> 24) % 100
        let emailShare = (bits >> 40) % 100
        return SyntheticUser(
            number: number,
            firstName: firstName,
            lastName: lastName,
            country: country.code,
            language: country.language,
            gender: gender,
            birthDay: birthDay,
            city: country.city,
            timeZone: country.zone,
            createdAt: createdAt,
            lastSessionAt: lastSessionAt,
            sessionCount: 1 + Int(400 * pow(sessions, 4)),
            pushSubscribe: Self.subscription(pushShare, 55, 85),
            emailSubscribe: Self.subscription(emailShare, 30, 80),
            attributes: attributes(random),
            devices: devices(random)
        )
    }

    private static func subscription(
        _ share: UInt64,
        _ optedIn: UInt64,
        _ subscribed: UInt64
    ) -> String {
        share < optedIn ? "opted_in" : share < subscribed ? "subscribed" : "unsubscribed"
    }

    private func attributes(_ random: [UInt64]) -> SyntheticUser.Attributes {
        let bits = random[3]
        let other = random[4]
        let third = random[5]
        let points = Double(other >> 32) / 0x1p32
        let code = other >> 2
        let bought = (third >> 48) % 100 < 40
        let tags = Self.subset(
            random[8],
            count: random[8] & 3,
            of: SyntheticVocabulary.tags
        )
        return SyntheticUser.Attributes(
            plan: SyntheticVocabulary.plans[
                Self.choice(Self.planBounds, bits & Self.fraction24)
            ].name,
            favoriteCategory: (bits >> 24) & 7 == 0
                ? nil : SyntheticVocabulary.categories[Int((bits >> 27) % 12)],
            appVersion: "\(1 + (bits >> 40) % 5).\((bits >> 44) % 20).\((bits >> 50) % 10)",
            referralCode: other & 3 == 0
                ? nil
                : SyntheticVocabulary.codes[Int(code % 5)] + "-"
                    + SyntheticUser.padded(Int((other >> 8) % 10_000), 4),
            loyaltyPoints: Int(10_000 * pow(points, 2)),
            nps: third & 3 == 0 ? Int((third >> 2) % 11) : nil,
            balance: Int((third >> 8) % 100_000),
            isVIP: (third >> 32) % 100 < 5,
            hasAppRating: (third >> 40) & 1 == 1 ? (third >> 41) & 1 == 1 : nil,
            lastPurchaseAt: bought
                ? now - Int64((random[6] & 0xFFFF_FFFF) % UInt64(365 * Self.day)) : nil,
            interests: Self.subset(
                random[7],
                count: random[7] & 7,
                of: SyntheticVocabulary.interests
            ),
            tags: tags.isEmpty ? nil : tags
        )
    }

    private func devices(_ random: [UInt64]) -> [SyntheticUser.Device] {
        let share = random[9] % 100
        let count = share < 30 ? 0 : share < 92 ? 1 : 2
        return (0..<count).map { device in
            let parts = (0..<4).map { part in
                let step = UInt64(4 * device + part + 1) &* Self.golden
                return Self.mix(random[10] &+ step)
            }
            let isAndroid = (random[9] >> UInt64(8 + device)) & 1 == 1
            return SyntheticUser.Device(
                platform: isAndroid ? "android" : "ios",
                token: Self.hexadecimal(parts)
            )
        }
    }

    private static func hexadecimal(_ words: [UInt64]) -> String {
        String(unsafeUninitializedCapacity: words.count * 16) { target in
            for (index, word) in words.enumerated() {
                for digit in 0..<16 {
                    let value = UInt8(word >> UInt64(60 - 4 * digit) & 15)
                    target[index * 16 + digit] = value < 10 ? 0x30 + value : 0x57 + value
                }
            }
            return words.count * 16
        }
    }

    /// One event: who, which of `eventNames`, when, and the bits its properties come from.
    package struct Event: Sendable {
        package let user: Int
        package let name: Int
        package let time: Int64
        let bits: UInt64

        private var product: String { "sku-\((bits >> 24) % 5_000)" }

        package var productID: String? {
            switch SyntheticAudience.eventNames[name] {
            case "purchase", "product_view", "add_to_cart": product
            default: nil
            }
        }

        /// Hundredths, of purchases.
        package var price: Int? {
            SyntheticAudience.eventNames[name] == "purchase" ? Int((bits >> 40) % 20_000) : nil
        }
    }

    /// Calls with the events of a range of numbers, in order of time.
    package func forEachEvent(in range: Range<Int>, _ body: (Event) throws -> Void) rethrows {
        let span = days * Self.day
        let start = now - Int64(span)
        try Self.nameTable.withUnsafeBufferPointer { names in
            for number in range {
                let session = UInt64(((number >> 9) << 6) + (number & 63))
                let random = Self.mix(sessionKey &+ session &* Self.golden)
                let share = Double(random >> 11) * 0x1p-53
                let rank = Int(Double(users) * share * share)
                let user = (rank * multiplier + 12_345) % users
                let bits = Self.mix(eventKey &+ UInt64(number) &* Self.golden)
                try body(
                    Event(
                        user: user,
                        name: Int(names[Int(bits & Self.fraction24)]),
                        time: start + Int64(number * span / events),
                        bits: bits
                    )
                )
            }
        }
    }
}
