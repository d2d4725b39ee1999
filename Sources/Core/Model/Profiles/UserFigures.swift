import Foundation

/// What one user got and did since the server knows them.
package struct UserFigures: Sendable, Hashable {
    /// Messages to the user's devices, as in ``SendCounts``.
    package struct Pushes: Sendable, Hashable {
        package var delivered: Int
        package var received: Int
        package var directOpens: Int
        package var influencedOpens: Int
        package var dismissed: Int

        /// Direct and influenced opens.
        package var opened: Int { directOpens + influencedOpens }

        package init(
            delivered: Int = 0,
            received: Int = 0,
            directOpens: Int = 0,
            influencedOpens: Int = 0,
            dismissed: Int = 0
        ) {
            self.delivered = delivered
            self.received = received
            self.directOpens = directOpens
            self.influencedOpens = influencedOpens
            self.dismissed = dismissed
        }
    }

    package var pushes = Pushes()
    /// Without what the control groups of in-app messages would have been shown.
    package var inApp = InAppMessageCounts()
    package var sessions = 0
    package var firstSessionAt: Date?
    package var lastSessionAt: Date?
    /// Pieces of products.
    package var purchased: Double = 0
    /// By currency (ISO 4217).
    package var revenue: [String: Double] = [:]
    /// Messages of campaigns with a primary conversion.
    package var conversions = 0

    package init() {}
}
