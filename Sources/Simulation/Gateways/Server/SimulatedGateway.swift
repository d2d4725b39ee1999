import Foundation
import Synchronization

/// The processing of requests common to all simulated services: the requests below `/simulator`,
/// latency and faults, and the distribution of accepted items.
final class SimulatedGateway<Item: GatewayItem>: Sendable {
    private static var waitingPushes: Int { 1000 }

    let now: @Sendable () -> Date
    private let faults: FaultInjector
    private let mailbox: Mutex<GatewayMailbox<Item>>

    init(
        recordLimit: Int,
        keepsForOffline: Bool = true,
        keptLimit: Int = 20_000,
        faults: FaultScript,
        now: @escaping @Sendable () -> Date
    ) {
        self.now = now
        self.faults = FaultInjector(faults, startedAt: now())
        mailbox = Mutex(
            GatewayMailbox(
                recordLimit: recordLimit,
                keepsForOffline: keepsForOffline,
                keptLimit: keptLimit
            )
        )
    }

    // MARK: What was accepted

    var records: [Item] { mailbox.withLock { $0.records } }
    var acceptedCount: Int { mailbox.withLock { $0.acceptedCount } }

    func accept(_ item: Item, now date: Date) {
        mailbox.withLock { $0.accept(item, now: date) }
        deliver()
    }

    /// Distributes the waiting items to listeners; one caller at a time, to preserve the order.
    private func deliver() {
        guard mailbox.withLock({ $0.beginDelivery() }) else { return }
        while let deliveries = mailbox.withLock({ $0.nextDeliveries() }) {
            for delivery in deliveries { delivery.perform() }
        }
    }

    /// Deletes the items stored for a removed device.
    func forget(_ address: String) {
        mailbox.withLock { $0.forget(address) }
    }

    func pushes(for address: String) -> AsyncStream<Item> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.waitingPushes)) { continuation in
            let id = mailbox.withLock { $0.listen(to: address, now: now(), continuation) }
            continuation.onTermination = { [weak self] _ in
                self?.mailbox.withLock { $0.stopListening(id, to: address) }
            }
            deliver()
        }
    }

    func close() {
        // The end of a stream calls back for the lock.
        for stream in mailbox.withLock({ $0.close() }) { stream.finish() }
    }

    func play(_ script: FaultScript) {
        faults.replace(script, at: now())
    }

    // MARK: Requests

    /// The response to a request to the service itself, and its time.
    ///
    /// - Parameters:
    ///   - address: The device, which selects faults.
    ///   - refusal: Formats a fault's status and reason for the service.
    ///   - judge: The rules of the service.
    func plan(
        address: String,
        refusal: @escaping @Sendable (_ status: Int, Fault, Date) -> GatewayResponse,
        judge: @escaping @Sendable (Date) -> GatewayReply
    ) -> ScheduledReply {
        let date = now()
        let (latency, fault) = faults.next(token: address, now: date)
        let delay = latency + .milliseconds(fault?.delayMilliseconds ?? 0)
        return ScheduledReply(delay: delay) {
            guard let fault else { return judge(date) }
            if let ending = fault.ending { return GatewayReply(ending) }
            if let status = fault.status {
                var response = refusal(status, fault, date)
                if let seconds = fault.retryAfter {
                    response.headers.append((name: "retry-after", value: String(seconds)))
                }
                return GatewayReply(response)
            }
            let answer = judge(date)
            return fault.loseAnswer == true ? GatewayReply(.stall) : answer
        }
    }

    /// Responds to a request to the simulator; `own` handles requests that only this service has.
    ///
    /// - Parameter known: A readable list of those requests.
    func control(
        _ request: GatewayRequest,
        known: String,
        own: (_ method: String, _ parts: [String]) throws -> GatewayResponse?
    ) -> GatewayResponse {
        guard request.body.count < GatewayRequest.maxBodyLength else {
            let limit = GatewayRequest.maxBodyLength
            return GatewayControl.problem("the body has \(limit) bytes or more", status: 413)
        }
        let parts = GatewayControl.parts(request)
        do {
            switch (request.method, parts) {
            case ("PUT", ["faults"]):
                play(try FaultScript(json: Data(request.body)))
                return GatewayResponse(status: 204)
            case ("GET", ["accepted"]):
                let after = try GatewayControl.after(request)
                let (items, count) = mailbox.withLock {
                    ($0.records(after: after), $0.acceptedCount)
                }
                return GatewayControl.accepted(items, of: count, request)
            default:
                if let response = try own(request.method, parts) { return response }
                return GatewayControl.problem(
                    "known are GET accepted, PUT faults, \(known), below /simulator/",
                    status: 404
                )
            }
        } catch let error as FaultScriptError {
            return GatewayControl.problem(error.description)
        } catch let error as GatewayControlError {
            return GatewayControl.problem(error.description)
        } catch {
            return GatewayControl.problem("\(error)", status: 500)
        }
    }
}
