import Campaigns
import Devices
import Foundation
import Model
import NoroshiWire
import Ports

/// The demo scenario without a browser: a push goes to every phone, then one to Ada's alone; each
/// is tapped, and its open is reported.
package struct DemoScenario: Sendable {
    /// A step of the scenario failed.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    private let demo: Demo
    /// Timeout of each step, in seconds.
    private let patience: TimeInterval = 30

    package init(demo: Demo) {
        self.demo = demo
    }

    /// Plays the scenario and reports it line by line.
    ///
    /// - Throws: `Failure` if a number is wrong.
    package func run(tell: @escaping @Sendable (String) -> Void) async throws {
        try await demo.run { address, phones in
            tell("The server answers at \(address).")
            try await prepare(phones, tell)
            try await play(
                to: .everyone,
                on: [phones.apple, phones.android, phones.browser],
                tell
            )
            let ada = try await demo.server.store.profile(.external("ada"), in: demo.workspace)
            guard let ada else { throw Failure(description: "nobody is called ada") }
            try await play(to: .profiles([ada.id]), on: [phones.apple], tell)
        }
    }

    private func prepare(
        _ phones: Demo.Phones,
        _ tell: @Sendable (String) -> Void
    ) async throws {
        let store = demo.server.store
        try await wait("the phones register their tokens") {
            try await store.userCounts(in: demo.workspace).reachableDevices == 3 ? true : nil
        }
        for guest in DemoGuest.all {
            try await wait("the first name arrives") {
                try await store.profile(.external(guest.id), in: demo.workspace)?
                    .standard[.firstName]?.stringValue
            }
        }
        let token = await phones.apple.state.deviceToken ?? ""
        tell("The phone allowed notifications and registered the token \(token.prefix(12))….")
        tell("An Android phone and a browser registered as well.")
    }

    /// Sends a push, taps it on every phone and checks the numbers.
    private func play(
        to audience: Audience,
        on phones: [any VirtualDevice],
        _ tell: @Sendable (String) -> Void
    ) async throws {
        let store = demo.server.store
        var message = PushMessage(
            title: "First flush",
            body: "{{${first_name}}}, the new sencha is here."
        )
        message.uri = "teahouse://tea/sencha"
        message.keyValuePairs = ["tea": "sencha"]
        message.badge = .set(1)
        message.isMutable = true
        let start = ContinuousClock.now
        let send = try await demo.server.composer.send(
            SendContent(message: message, audience: audience),
            by: .commandLine(account: "demo", demo.workspace)
        )
        tell("Push \(send.id) was written to \(phones.count == 1 ? "one" : "everyone").")
        for phone in phones { try await open(phone, since: start, tell) }

        let count = phones.count
        let counts = try await wait("the opens come back") {
            let counts = try await store.counts(of: [send.id])[send.id]
            return counts?.opened == count && counts?[.accepted] == count ? counts : nil
        }
        try await wait("the send is finished") {
            try await store.send(send.id)?.state == .finished ? true : nil
        }
        let line =
            "sent \(counts.total), accepted \(counts[.accepted]), received \(counts.received), "
            + "opened \(counts.opened)"
        tell(line)
        guard line == "sent \(count), accepted \(count), received \(count), opened \(count)" else {
            throw Failure(description: "these are the wrong numbers")
        }
    }

    private func open(
        _ phone: any VirtualDevice,
        since start: ContinuousClock.Instant,
        _ tell: @Sendable (String) -> Void
    ) async throws {
        let banner = try await wait("the push appears on the phone") {
            await phone.state.banners.first
        }
        let time = ContinuousClock.now - start
        let name = await phone.state.name
        tell("\(name) shows after \(time.milliseconds) ms: \(banner.title): \(banner.body)")
        let guest = DemoGuest.all.first { $0.phone == phone.id }
        let first = guest?.attributes["first_name"]?.stringValue ?? ""
        guard banner.body == "\(first), the new sencha is here." else {
            throw Failure(description: "the phone shows the wrong text: \(banner.body)")
        }
        try await phone.perform(.tap(banner: banner.id))
        let opened = try await wait("the app opens the address of the push") {
            await phone.state.lastOpenedURL
        }
        tell("Tapped; the app opened \(opened).")
        try await phone.perform(.lock)
    }

    /// Polls until there is a result.
    @discardableResult
    private func wait<Answer: Sendable>(
        _ what: String,
        for answer: () async throws -> Answer?
    ) async throws -> Answer {
        let end = ContinuousClock.now + .seconds(patience)
        while ContinuousClock.now < end {
            if let found = try await answer() { return found }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure(description: "waited \(Int(patience)) s in vain: \(what)")
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
