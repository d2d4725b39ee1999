/// What a client may cost before it has said who it is, and afterwards.
package struct FrontSettings: Sendable, Hashable {
    /// Connections at the same time.
    package var connections = 4_096
    /// Seconds for the head of a request, from its first byte on; on a new connection from the
    /// beginning.
    package var headSeconds = 10
    /// Seconds a client may be silent in the middle of a body, or between two requests.
    package var idleSeconds = 60
    /// Seconds the server waits for one body altogether.
    package var bodySeconds = 120
    /// Bytes of a body that have to come in a second, after some seconds of grace.
    package var bodyRate = 1_000
    /// Bytes of all bodies that are held at the same time.
    package var bodyBudget = 40 << 20
    /// Seconds from being told to stop until the process has ended.
    package var stopSeconds = 10

    /// Seconds for which a body may come as slowly as it likes.
    package static let grace = 10
    /// Seconds for what is left of a body whose request was answered, so that the client reads
    /// the answer before the connection ends.
    package static let lingering = 5
    /// Seconds in which a client has to take something of its answer.
    package static let unreadSeconds = 60

    package init() {}
}
