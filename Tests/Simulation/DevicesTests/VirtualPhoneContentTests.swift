import ClientTesting
import Devices
import Foundation
import NoroshiWire
import Testing

/// What the content extension draws in expanded notifications.
extension VirtualPhoneTests {
    /// Receives a push of `category` with these pairs, and expands it.
    private func expanded(
        _ category: String,
        _ pairs: [String: JSONValue],
        on phone: VirtualPhone
    ) async throws -> String {
        try await phone.perform(.lock)
        let values: [String: JSONValue] = pairs.merging(["push_no": "42"]) { $1 }
        await phone.receive(
            PhonePush(
                payload: try payload(aps: ["category": .string(category)], values: values),
                id: UUID()
            )
        )
        let banner = try #require(await phone.state.banners.first).id
        #expect(await phone.state.banners.first?.content == nil)
        try await phone.perform(.expand(banner: banner))
        return banner
    }

    private func content(_ phone: VirtualPhone) async -> [ContentElement] {
        func all(_ element: ContentElement) -> [ContentElement] {
            [element] + (element.children ?? []).flatMap(all)
        }
        return await phone.state.banners.first?.content.map(all) ?? []
    }

    @Test("capture in an expanded notification: typed, registered, thanked, closed")
    func capture() async throws {
        let (thanksAreRead, read) = AsyncStream.makeStream(of: Void.self)
        let phone = try await started {
            $0.sleep = { seconds in
                guard seconds == 2 else { return try await Task.sleep(for: .seconds(seconds)) }
                for await _ in thanksAreRead { break }
            }
        }
        let banner = try await expanded("noroshi_capture", ["cert_title": "Mail?"], on: phone)
        let field = try #require(await content(phone).first { $0.kind == .field })
        #expect(field.placeholder == "name@example.com")
        #expect(field.keyboard == "email")
        try await phone.perform(.type(banner: banner, element: field.id, text: "ann@"))
        #expect(await !content(phone).contains { $0.kind == .button })
        try await phone.perform(.type(banner: banner, element: field.id, text: "ann@example.com"))
        let button = try #require(await content(phone).first { $0.kind == .button })
        #expect(button.text == "Register")
        try await phone.perform(.touch(banner: banner, element: button.id))
        #expect(await content(phone).filter { $0.kind == .text }.map(\.text) == ["Thank you"])
        #expect(
            await eventually {
                ingest.records.compactMap(\.attributes).contains(["email": "ann@example.com"])
            }
        )
        read.yield()
        #expect(await eventually { await phone.state.banners.isEmpty })
        await #expect(throws: VirtualPhoneError.self) {
            try await phone.perform(.touch(banner: banner, element: button.id))
        }
        await phone.stop()
    }

    @Test("progress, wheel and match game are the SDK's own views in an expanded notification")
    func patterns() async throws {
        let phone = try await started {
            $0.sleep = { seconds in
                // The wheel has stopped at once.
                if seconds != 3 { try await Task.sleep(for: .seconds(seconds)) }
            }
        }
        _ = try await expanded(
            "noroshi_progress",
            [
                "completed_session_count": "2", "total_session_count": "8",
                "next_session_name": "Segments", "next_session_complete_date": "Friday",
            ],
            on: phone
        )
        #expect(await content(phone).compactMap(\.fraction) == [0.25])
        #expect(await content(phone).contains { $0.text == "Segments · Friday" })
        try await phone.perform(.dismiss(banner: #require(await phone.state.banners.first).id))

        var banner = try await expanded("noroshi_wheel", ["prizes": "tea, cake"], on: phone)
        let wheel = try #require(await content(phone).first { $0.kind == .wheel })
        #expect(wheel.sectors == ["tea", "cake"])
        #expect(wheel.degrees == 0)
        let spin = try #require(await content(phone).first { $0.kind == .button })
        try await phone.perform(.touch(banner: banner, element: spin.id))
        #expect(await content(phone).compactMap(\.degrees).contains { $0 > 1440 })
        #expect(await eventually { await ["tea", "cake"].contains(content(phone).last?.text) })
        await #expect(throws: VirtualPhoneError.self) {
            try await phone.perform(.touch(banner: banner, element: spin.id))
        }
        // Closed, it stays on the lock screen; opened again, the extension begins anew.
        try await phone.perform(.collapse(banner: banner))
        #expect(await phone.state.banners.first?.content == nil)
        try await phone.perform(.expand(banner: banner))
        #expect(await content(phone).compactMap(\.degrees) == [0])
        try await phone.perform(.dismiss(banner: banner))

        banner = try await expanded("noroshi_match", ["faces": "a, b"], on: phone)
        let cards = await content(phone).filter { $0.kind == .button }.map(\.id)
        #expect(cards.count == 4)
        for (first, second) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            let open = await content(phone).filter { $0.kind == .button && $0.isEnabled }.map(\.id)
            guard open.contains(cards[first]), open.contains(cards[second]) else { continue }
            try await phone.perform(.touch(banner: banner, element: cards[first]))
            try await phone.perform(.touch(banner: banner, element: cards[second]))
        }
        #expect(
            await eventually {
                ingest.records.compactMap(\.event?.name).contains("match_game_won")
            }
        )
        try await phone.perform(.dismiss(banner: banner))

        _ = try await expanded("noroshi_wheel", [:], on: phone)
        #expect(await content(phone).contains { $0.text.contains("prizes") })
        await phone.stop()
    }
}
