extension Fault {
    /// The endings that are the same at every service; nil when the fault answers or only delays.
    var ending: GatewayReply.Ending? {
        if drop == true { return .dropConnection }
        if let reason = goAway { return .goAway(reason: reason, answersThisStream: nil) }
        if let code = reset { return .resetStream(code: code) }
        if stall == true { return .stall }
        return nil
    }
}
