import Foundation
import NoroshiWire
import Ports
import StoreSQL

extension StandbyServer {
    /// This process while it waits.
    init(_ settings: Settings, since: Date) {
        let own = DatabaseClaim.Holder.current(.server, since: since)
        self.init(
            host: own.host,
            process: own.process,
            port: settings.port,
            version: NoroshiVersion.current,
            since: since
        )
    }
}
