import Model
import WebPages

/// The uploaded lists, with the form for another one.
struct UserListsPage {
    struct Row {
        let id: Int64
        let name: String
        let condition: String
        let users: String
        let author: String
        let changed: Moment
        let segmentAddress: String
        let renameAction: String
        let deleteAction: String
    }

    /// What came of the last upload.
    struct Result {
        let text: String
        let unknown: String?
        let examples: String
    }

    let rows: [Row]
    let isEmpty: Bool
    let mayWrite: Bool
    let action: String
    let segmentsAddress: String
    let name: String
    let nameFault: String?
    let fileFault: String?
    let listFault: String?
    let result: Result?

    init(
        _ lists: [UserListRow],
        name: String = "",
        rejected: UserListRejected? = nil,
        upload: UserListUpload? = nil,
        visit: Visit
    ) {
        rows = lists.map { list in
            Row(
                id: list.id,
                name: list.name,
                condition: list.condition,
                users: visit.words.number(list.users),
                author: list.author,
                changed: visit.moment(list.changedAt),
                segmentAddress: ConsolePath.newSegment.query(
                    FormFields([("condition", list.condition)])
                ),
                renameAction: ConsolePath.renameList(String(list.id)).path,
                deleteAction: ConsolePath.deleteList(String(list.id)).path
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = visit.may(.marketer)
        action = ConsolePath.lists.path
        segmentsAddress = ConsolePath.segments.path
        self.name = name
        nameFault = rejected?.field == .name ? rejected?.text : nil
        fileFault = rejected?.field == .file ? rejected?.text : nil
        listFault = rejected?.field == .list ? rejected?.text : nil
        result = upload.map { upload in
            Result(
                text: visit.words.counted("lists.uploaded", upload.row.users),
                unknown: upload.unknownCount == 0
                    ? nil : visit.words.counted("lists.unknown", upload.unknownCount),
                examples: upload.unknown.joined(separator: ", ")
            )
        }
    }
}
