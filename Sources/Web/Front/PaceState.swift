import NIOCore

/// The timeouts of one connection as a state machine, without a channel.
///
/// Time counts against a client only while the server waits for it. A slow server, which does not
/// read, never closes a connection for that.
package struct PaceState {
    package enum Phase: Equatable {
        /// No part of a request has arrived; `isFirst` is `false` after an earlier request.
        case quiet(since: NIODeadline, isFirst: Bool)
        /// A part of the head has arrived.
        case head(since: NIODeadline)
        /// The head has arrived, but not the end of the body.
        case body
        /// The response was sent, and the rest of the body is discarded.
        case draining(since: NIODeadline)
        /// The request is complete and is being served.
        case answering
    }

    package enum Verdict: Equatable {
        case goOn
        /// Close the connection without a response.
        case close
        /// The request failed; a response is still possible.
        case fail
    }

    package private(set) var phase: Phase
    private let settings: FrontSettings
    /// Since when the server waits for bytes.
    private var askedAt: NIODeadline?
    /// How long the server has waited for this body.
    private var waited = TimeAmount.zero
    private var bytes = 0
    /// Number of requests without a complete response; clients may pipeline requests.
    private var open = 0
    /// Since when the client has read nothing of its response.
    private var unreadSince: NIODeadline?

    package init(_ settings: FrontSettings, now: NIODeadline) {
        self.settings = settings
        phase = .quiet(since: now, isFirst: true)
    }

    /// Whether the server waits for the client, so that the connection may be closed in favor of
    /// others.
    package var isWaiting: Bool { phase != .answering }

    package mutating func asked(at now: NIODeadline) {
        if askedAt == nil { askedAt = now }
    }

    package mutating func arrived(_ count: Int, at now: NIODeadline) {
        if let askedAt { waited = waited + (now - askedAt) }
        askedAt = nil
        bytes += count
        if case .quiet = phase { phase = .head(since: now) }
    }

    package mutating func headCame() {
        phase = .body
        waited = .zero
        bytes = 0
        open += 1
    }

    package mutating func bodyCame(at now: NIODeadline) {
        phase = open > 0 ? .answering : .quiet(since: now, isFirst: false)
    }

    package mutating func answered(at now: NIODeadline) {
        open -= 1
        unreadSince = nil
        guard open <= 0 else { return }
        open = 0
        switch phase {
        case .answering: phase = .quiet(since: now, isFirst: false)
        case .body: phase = .draining(since: now)
        case .quiet, .head, .draining: break
        }
    }

    package mutating func isWritable(_ isWritable: Bool, at now: NIODeadline) {
        unreadSince = isWritable ? nil : unreadSince ?? now
    }

    package func verdict(at now: NIODeadline) -> Verdict {
        if let unreadSince, now - unreadSince >= .seconds(Int64(settings.unreadSeconds)) {
            return .close
        }
        switch phase {
        case .quiet(let since, let isFirst):
            let limit = isFirst ? settings.headSeconds : settings.idleSeconds
            return now - since >= .seconds(Int64(limit)) ? .close : .goOn
        case .head(let since):
            return now - since >= .seconds(Int64(settings.headSeconds)) ? .close : .goOn
        case .body:
            let silence = askedAt.map { now - $0 } ?? .zero
            let waited = waited + silence
            let earned = TimeAmount.seconds(Int64(FrontSettings.grace + bytes / settings.bodyRate))
            let isLate =
                waited >= earned || waited >= .seconds(Int64(settings.bodySeconds))
                || silence >= .seconds(Int64(settings.idleSeconds))
            return isLate ? .fail : .goOn
        case .draining(let since):
            return now - since >= .seconds(Int64(FrontSettings.lingering)) ? .close : .goOn
        case .answering:
            return .goOn
        }
    }
}
