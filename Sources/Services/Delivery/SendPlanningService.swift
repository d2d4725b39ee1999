import Analytics
import Campaigns
import Foundation
import Logging
import Model
import Ports
import Scheduling
import ServiceLifecycle

/// Writes the dispatches of sends that are due, and ends sends of which nothing is left to do.
package struct SendPlanningService: Service {
    let store: any DeliveryStore
    let planner: SendPlanner
    let feed: ChangeFeed
    let wake: WakeSignal
    let settings: DeliveryService.Settings
    let now: @Sendable () -> Date
    let logger: Logger

    /// Plans until cancellation: immediately again if there was work, otherwise after a signal or an interval.
    package func run() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                var didWork = false
                let seen = wake.generation
                do {
                    didWork = try await plan()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(
                        "a step failed and will be repeated",
                        metadata: ["delivery.step": "planning", "delivery.error": "\(error)"]
                    )
                }
                if !didWork { await wake.wait(after: seen, atMost: settings.idlePause) }
            }
        }
    }

    private func plan() async throws -> Bool {
        let sends = try await store.startPlanningDueSends(now: now())
        var didWork = false
        for send in sends {
            guard let step = try await planChunk(of: send) else { continue }
            didWork = true
            wake.signal()
            if step.isComplete {
                logger.info("a send is planned", metadata: ["send.id": "\(send.id)"])
                // A send without recipients is finished immediately.
                try await finish()
            }
            feed.publish(.send(send.id, send.workspace))
        }
        return didWork
    }

    /// `nil` if the audience cannot be evaluated, now or ever.
    private func planChunk(of send: Send) async throws -> RecipientBatchResult? {
        do {
            return try await planner.planNextBatch(of: send, limit: settings.planChunk)
        } catch let problem as AudienceError where problem.code == .notReady {
            // The next round tries again.
            return nil
        } catch let problem as AudienceError {
            logger.error(
                "a send is cancelled, because its audience cannot be evaluated",
                metadata: ["send.id": "\(send.id)", "audience.error": "\(problem)"]
            )
            _ = try await store.control(send.id, .stop, noting: nil, now: now())
            feed.publish(.send(send.id, send.workspace))
            return nil
        }
    }

    private func finish() async throws {
        for send in try await store.markFinishedSends(now: now()) {
            logger.info("a send is finished", metadata: ["send.id": "\(send)"])
            feed.publish(.send(send, nil))
        }
    }
}
