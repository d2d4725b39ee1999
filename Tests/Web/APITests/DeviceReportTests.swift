import Audience
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Segments
import Testing

/// What an app's SDK says of language, country and time zone is seen by segments.
@Suite("What devices report")
struct DeviceReportTests {
    private func report(
        _ user: String,
        _ device: UUID,
        locale: String?,
        zone: String?,
        _ client: APIClient
    ) async throws {
        let record = SDKRecord(
            id: UUID(),
            sequence: 1,
            timeMilliseconds: APIClient.now.milliseconds,
            user: .external(user),
            content: .event(name: "viewed", properties: [:])
        )
        let batch = SDKBatch(
            device: SDKDevice(id: device, platform: "ios", locale: locale, timeZone: zone),
            records: [record]
        )
        let answer = try await client.post(
            "/sdk/v1/batch",
            bytes: try JSONEncoder().encode(batch),
            key: client.app.sdkKey
        )
        #expect(answer.status == .ok)
    }

    private func find(_ text: String, _ client: APIClient) async throws -> [String] {
        let book = try await SegmentService(store: client.store, now: { APIClient.now })
            .book(of: client.workspace)
        let rule = try book.rule(text: text)
        // The columns as they followed the rows, and once more read anew.
        var found: [[Int64]] = []
        for isFresh in [false, true] {
            if isFresh { try await client.audience.rebuild() }
            found.append(
                try await client.audience.select(rule, book: book, in: client.workspace)
                    .profiles()
            )
        }
        #expect(found[0] == found[1], "\(text)")
        var names: [String] = []
        for id in found[0] {
            let profile = try #require(try await client.store.profile(ProfileID(id)))
            names.append(profile.externalID ?? "")
            let explained = try await client.audience.explain(
                rule,
                for: profile.id,
                in: client.workspace
            )
            #expect(explained?.holds == true, "\(text)")
        }
        return names.sorted()
    }

    @Test("language, country and time zone of the device used last, unless the app says otherwise")
    func places() async throws {
        try await APIClient.run { client in
            try await client.audience.rebuild()
            let phone = UUID()
            try await report("ada", phone, locale: "ja_JP", zone: "Asia/Tokyo", client)
            try await report("ben", UUID(), locale: "pt-BR", zone: "America/Sao_Paulo", client)
            try await report("cas", UUID(), locale: "zh_Hant_TW@calendar=roc", zone: nil, client)
            _ = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ben", "language": "en", "country": "US"]]]
            )
            #expect(try await find("language = \"ja\"", client) == ["ada"])
            #expect(try await find("country in (\"JP\", \"TW\")", client) == ["ada", "cas"])
            #expect(try await find("language = \"en\" and country = \"US\"", client) == ["ben"])
            #expect(try await find("time_zone starts with \"A\"", client) == ["ada", "ben"])
            #expect(try await find("time_zone not exists", client) == ["cas"])
            // The phone goes abroad.
            try await report("ada", phone, locale: "en_GB", zone: "Europe/London", client)
            #expect(try await find("time_zone = \"Europe/London\"", client) == ["ada"])
            #expect(try await find("language = \"ja\"", client) == [])
        }
    }

    @Test("who has said nothing is subscribed, to e-mails as to pushes")
    func subscriptions() async throws {
        try await APIClient.run { client in
            try await client.audience.rebuild()
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": [
                        ["external_id": "ada", "plan": "pro"],
                        ["external_id": "ben", "email_subscribe": "unsubscribed"],
                        ["external_id": "cas", "email_subscribe": "opted_in"],
                    ]
                ]
            )
            #expect(try await find("email_subscribe = \"subscribed\"", client) == ["ada"])
            #expect(try await find("email_subscribe != \"unsubscribed\"", client).count == 2)
            #expect(try await find("push_subscribe = \"subscribed\"", client).count == 3)
        }
    }

    @Test("whole numbers beyond 2^53 are told apart")
    func largeNumbers() async throws {
        try await APIClient.run { client in
            try await client.audience.rebuild()
            let numbers: [(String, Int64)] = [
                ("even", 9_007_199_254_740_992), ("odd", 9_007_199_254_740_993),
                ("next", 9_007_199_254_740_994), ("most", .max),
            ]
            _ = try await client.post(
                "/users/track",
                [
                    "attributes": .array(
                        numbers.map { ["external_id": .string($0), "score": .integer($1)] }
                    )
                ]
            )
            for (name, number) in numbers {
                #expect(try await find("score = \(number)", client) == [name])
            }
            #expect(try await find("score > 9007199254740992", client) == ["most", "next", "odd"])
            #expect(try await find("score >= 9007199254740993", client) == ["most", "next", "odd"])
            #expect(try await find("score < 9007199254740993", client) == ["even"])
            #expect(try await find("score <= 9007199254740993", client) == ["even", "odd"])
            #expect(
                try await find("score in (9007199254740993, 9223372036854775807)", client)
                    == ["most", "odd"]
            )
        }
    }
}
