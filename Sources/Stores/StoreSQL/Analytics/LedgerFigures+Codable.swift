/// What is 0 or empty is left out: most sends of a campaign on an event have one message, and their figures stay.
extension LedgerFigures: Codable {
    private enum Key: String, CodingKey {
        case rows, accepted, received, directOpens, opened, users, firstAcceptance, pages, delays
        case middleDelay
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func count(_ key: Key) throws -> Int {
            try values.decodeIfPresent(Int.self, forKey: key) ?? 0
        }
        self.init(
            rows: try count(.rows),
            accepted: try count(.accepted),
            received: try count(.received),
            directOpens: try count(.directOpens),
            opened: try count(.opened),
            users: try values.decodeIfPresent(Users.self, forKey: .users) ?? Users(),
            firstAcceptance: try values.decodeIfPresent(Int64.self, forKey: .firstAcceptance),
            pages: try values.decodeIfPresent([Int: Int].self, forKey: .pages) ?? [:],
            delays: try values.decodeIfPresent([Int: Int].self, forKey: .delays) ?? [:],
            middleDelay: try values.decodeIfPresent(Int64.self, forKey: .middleDelay)
        )
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        for (key, count) in [
            (Key.rows, rows), (.accepted, accepted), (.received, received),
            (.directOpens, directOpens), (.opened, opened),
        ] where count != 0 { try values.encode(count, forKey: key) }
        if users != Users() { try values.encode(users, forKey: .users) }
        try values.encodeIfPresent(firstAcceptance, forKey: .firstAcceptance)
        if !pages.isEmpty { try values.encode(pages, forKey: .pages) }
        if !delays.isEmpty { try values.encode(delays, forKey: .delays) }
        try values.encodeIfPresent(middleDelay, forKey: .middleDelay)
    }
}

extension LedgerFigures.Users: Codable {
    private enum Key: String, CodingKey {
        case targeted, delivered, received, opened
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            targeted: try values.decodeIfPresent(Int.self, forKey: .targeted) ?? 0,
            delivered: try values.decodeIfPresent(Int.self, forKey: .delivered) ?? 0,
            received: try values.decodeIfPresent(Int.self, forKey: .received) ?? 0,
            opened: try values.decodeIfPresent(Int.self, forKey: .opened) ?? 0
        )
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        for (key, count) in [
            (Key.targeted, targeted), (.delivered, delivered), (.received, received),
            (.opened, opened),
        ] where count != 0 { try values.encode(count, forKey: key) }
    }
}
