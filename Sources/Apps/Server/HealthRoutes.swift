import Accounts
import Audience
import Foundation
import Hummingbird
import Model
import NIOCore

/// `/health` reports that the process is running, `/ready` whether it can work: whether the store
/// is writable, and all users are in memory, so that segments can be counted and sent to. Both answer at once from
/// what is known, whatever the database does: who watches over the process must not take it to be dead.
struct HealthRoutes: Sendable {
    let audience: SegmentationService
    /// Whether this server has the columns of all users; the others of its database have them in any case.
    let keepsColumns: Bool
    let accounts: AccountService
    let watch: StoreWatch
    let holds: HoldWatch
    /// How many servers worked on the database at the last sign of life; `nil` for a file, which has one.
    let servers: (@Sendable () -> Int)?
    /// Whether this server does what one of them does for all.
    let leads: @Sendable () -> Bool
    /// Whether this server is cut off from the others, which take it to be gone.
    let isSilent: @Sendable () -> Bool

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("/health") { _, _ in
            let signIns = accounts.signInCounts
            let sending =
                holds.hold.map {
                    "sending: held since \($0.since.formatted(.iso8601)), "
                        + "until ./noroshi release\n"
                } ?? ""
            return "ok\nversion: \(BuildInfo.version)\n"
                + audienceLine + storeLine
                + serverLine + sending
                + "sign-ins since the start: \(signIns.succeeded) right, \(signIns.failed) wrong, "
                + "\(signIns.limited) limited, \(signIns.busy) too many at once\n"
        }
        router.get("/ready") { _, _ in
            let isSilent = isSilent()
            let hasUsers = !keepsColumns || audience.status.isReady
            let isReady = hasUsers && watch.trouble == nil && !isSilent
            let silence = isSilent ? "servers: the database does not answer this one\n" : ""
            var response = Response(
                status: isReady ? .ok : .serviceUnavailable,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody(
                    byteBuffer: ByteBuffer(string: audienceLine + storeLine + silence)
                )
            )
            if !isReady { response.headers[.retryAfter] = "5" }
            return response
        }
    }

    private var audienceLine: String {
        "audience: \(keepsColumns ? audience.status.text : "in no memory of a server that only sends")\n"
    }

    private var serverLine: String {
        guard let servers else { return "" }
        return "servers: \(servers()), \(leads() ? "this one leads" : "this one does not lead")\n"
    }

    private var storeLine: String {
        guard let trouble = watch.trouble else { return "store: ready\n" }
        return "store: \(trouble.reason) (since \(trouble.since.formatted(.iso8601)))\n"
    }
}
