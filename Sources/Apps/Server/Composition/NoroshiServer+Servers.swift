import Delivery
import Foundation
import Servers

extension NoroshiServer {
    /// Tells the other servers of the database what happens here, and hears what happens there.
    ///
    /// - Parameter server: Which of them this one is.
    func changeExchange(of server: UUID) -> ChangeExchange {
        ChangeExchange(
            store: store,
            server: server,
            feed: feed,
            share: share,
            now: world.now,
            wake: wake.signal,
            logger: logger
        )
    }
}
