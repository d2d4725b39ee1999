/// A filter on the in-app messages of a list.
package struct InAppMessageQuery: Sendable, Hashable {
    /// A part of the name; empty means every name.
    package var text: String
    package var states: Set<InAppMessageDefinition.State>
    package var limit: Int
    package var offset: Int

    package init(
        text: String = "",
        states: Set<InAppMessageDefinition.State>,
        limit: Int,
        offset: Int = 0
    ) {
        self.text = text
        self.states = states
        self.limit = limit
        self.offset = offset
    }
}
