import Model
import Ports
import Synchronization

/// Records when the first push of each send is handed over.
final class TimestampingTransport: PushTransport {
    private let transport: any PushTransport
    private let stamps = Mutex<[SendID: ContinuousClock.Instant]>([:])

    init(_ transport: any PushTransport) {
        self.transport = transport
    }

    func send(_ push: OutgoingPush) async -> PushOutcome {
        stamps.withLock { stamps in
            if stamps[push.sendID] == nil { stamps[push.sendID] = ContinuousClock.now }
        }
        return await transport.send(push)
    }

    func stamps(except send: SendID) -> [SendID: ContinuousClock.Instant] {
        stamps.withLock { $0.filter { $0.key != send } }
    }
}
