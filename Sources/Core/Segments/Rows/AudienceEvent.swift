/// One occurrence of an activity.
package struct AudienceEvent: Sendable, Hashable {
    package var profile: Int64
    package var activity: Activity
    /// Unix seconds.
    package var time: Int64
    package var properties: [String: AttributeValue]
    /// The product of a purchase; `nil` for other activities.
    package var product: String?
    /// The price per piece in millionths of the currency unit, so that sums are exact.
    package var priceInMicros: Int64
    /// A purchase of three pieces counts as three purchases.
    package var quantity: Int
    /// Whether it stands for occurrences that are only summed up, whose properties are gone.
    package var isSum = false

    package init(
        profile: Int64,
        activity: Activity,
        time: Int64,
        properties: [String: AttributeValue] = [:],
        product: String? = nil,
        priceInMicros: Int64 = 0,
        quantity: Int = 1
    ) {
        self.profile = profile
        self.activity = activity
        self.time = time
        self.properties = properties
        self.product = product
        self.priceInMicros = priceInMicros
        self.quantity = quantity
    }
}
