/// A segment's definition: a tree of filters.
package indirect enum SegmentRule: Sendable, Hashable {
    /// Every rule holds. Empty matches all users.
    case all([SegmentRule])
    /// At least one rule holds. Empty matches no users.
    case any([SegmentRule])
    case not(SegmentRule)
    case condition(SegmentCondition)
}

/// One filter of a segment.
package enum SegmentCondition: Sendable, Hashable {
    case attribute(AttributeReference, ValueTest)
    case activity(ActivityCondition)
    /// At least one device of the user satisfies the whole rule.
    case device(DeviceRule)
    /// The user is in the segment with this id.
    case segment(String)
    /// The user is in the uploaded list with this id.
    case list(String)
    /// The user is in the workspace's control group.
    case controlGroup
}
