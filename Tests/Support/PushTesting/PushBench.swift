import Foundation
import Gateways
import Ports

/// A simulated push service and the client that sends to it.
package protocol PushBench: Sendable {
    associatedtype Simulator: GatewaySimulator
    associatedtype Transport: PushTransport

    var simulator: Simulator { get }
    var transport: Transport { get }
}

extension PushBench {
    /// Sends many pushes at once and collects the outcomes in order.
    package func sendAll(_ pushes: [OutgoingPush]) async -> [PushOutcome] {
        await withTaskGroup(of: (Int, PushOutcome).self) { group in
            for (index, push) in pushes.enumerated() {
                group.addTask { (index, await transport.send(push)) }
            }
            var outcomes: [Int: PushOutcome] = [:]
            for await (index, outcome) in group { outcomes[index] = outcome }
            return pushes.indices.compactMap { outcomes[$0] }
        }
    }

    /// Sends one push, which opens the connection, and then 500 at once in whose middle the script's
    /// fault happens.
    package func sendInto(
        _ script: String,
        _ push: () -> OutgoingPush
    ) async throws -> [PushOutcome] {
        let first = await transport.send(push())
        guard first.isAccepted else { throw NotAccepted(outcome: first) }
        simulator.play(try FaultScript(json: Data(script.utf8)))
        return await sendAll((0..<500).map { _ in push() })
    }
}

private struct NotAccepted: Error {
    var outcome: PushOutcome
}

/// Runs `body`, and `cleanUp` whatever becomes of it.
package func running(
    _ body: () async throws -> Void,
    cleanUp: () async -> Void
) async throws {
    let result: Result<Void, any Error>
    do {
        try await body()
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await cleanUp()
    try result.get()
}
