extension ConsoleSite {
    /// A form with the name of the segment that is chosen in it.
    func withSegmentName(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        guard form.audienceKind == .segment, let segments = features.segments,
            let id = Int64(form.segment),
            let segment = try await segments.segment(id: id, for: visit.member)
        else { return form }
        var form = form
        form.segmentName = segment.row.name
        return form
    }
}
