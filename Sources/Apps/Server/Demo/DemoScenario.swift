import Campaigns
import Devices
import Foundation
import Model
import NoroshiWire
import Ports

/// The demo's story without a browser: a push goes to the phone, is tapped, and its open comes
/// back.
package struct DemoScenario: Sendable {
    /// Something did not come to pass.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    private let demo: Demo
    /// How long each step may take, in seconds.
    private let patience: TimeInterval = 30

    package init(demo: Demo) {
        self.demo = demo
    }

    /// Plays the story and tells it line by line.
    ///
    /// - Throws: `Failure` when a number is not what it must be.
    package func run(tell: @escaping @Sendable (String) -> Void) async throws {
        let (end, ending) = AsyncStream.makeStream(of: Never.self)
        let (phones, found) = AsyncStream.makeStream(of: (String, VirtualPhone).self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { found.finish() }
                try await demo.run(
                    handlesSignals: false,
                    until: { for await _ in end {} },
                    onReady: {
                        found.yield(($0, $1))
                        found.finish()
                    }
                )
            }
            group.addTask {
                defer { ending.finish() }
                for await (address, phone) in phones {
                    tell("The server answers at \(address).")
                    try await play(phone, tell)
                }
            }
            try await group.waitForAll()
        }
    }

    private func play(
        _ phone: VirtualPhone,
        _ tell: @escaping @Sendable (String) -> Void
    ) async throws {
        let store = demo.server.store
        let registered = try await wait("the phone registers its token") {
            try await store.userCounts(in: demo.workspace).reachableDevices == 1 ? true : nil
        }
        guard registered else { return }
        try await wait("the first name arrives") {
            try await store.profile(.external("ada"), in: demo.workspace)?
                .standard[.firstName]?.stringValue
        }
        let token = await phone.state.deviceToken ?? ""
        tell("The phone allowed notifications and registered the token \(token.prefix(12))….")
        await phone.lockForScenario()

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
            SendContent(message: message, audience: .everyone),
            in: demo.workspace
        )
        tell("Push \(send.id) was written to everyone.")

        let banner = try await wait("the push appears on the phone") {
            await phone.state.banners.first
        }
        let time = ContinuousClock.now - start
        tell("The phone shows after \(time.milliseconds) ms: \(banner.title): \(banner.body)")
        guard banner.body == "Ada, the new sencha is here." else {
            throw Failure(description: "the phone shows the wrong text: \(banner.body)")
        }
        try await phone.perform(.tap(banner: banner.id))
        let opened = try await wait("the app opens the address of the push") {
            await phone.state.lastOpenedURL
        }
        tell("Tapped; the app opened \(opened).")

        let counts = try await wait("the open comes back") {
            let counts = try await store.counts(of: [send.id])[send.id]
            return counts?.opened == 1 && counts?[.accepted] == 1 ? counts : nil
        }
        try await wait("the send is finished") {
            try await store.send(send.id)?.state == .finished ? true : nil
        }
        let line =
            "sent \(counts.total), accepted \(counts[.accepted]), received \(counts.received), "
            + "opened \(counts.opened)"
        tell(line)
        guard line == "sent 1, accepted 1, received 1, opened 1" else {
            throw Failure(description: "these are the wrong numbers")
        }
    }

    /// Asks until there is an answer.
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

extension VirtualPhone {
    /// Puts the app behind the lock screen, so that a push is shown there.
    fileprivate func lockForScenario() async {
        // Locking cannot fail: it needs no notification.
        try? await perform(.lock)
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
