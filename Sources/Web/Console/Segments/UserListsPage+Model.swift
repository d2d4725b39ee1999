import Audience
import Model
import Segments
import WebPages

/// The uploaded lists, with the form for another one.
struct UserListsPage {
    /// Maximum number of shown ids without a user.
    private static let unknownLimit = 5

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

    /// The result of the last upload.
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
        _ lists: [UploadedList],
        name: String = "",
        faults: [FormFieldError] = [],
        upload: UserListService.Upload? = nil,
        context: ConsoleContext
    ) {
        rows = lists.map { list in
            let condition = SegmentWriter.text(.list(list.name))
            return Row(
                id: list.id.rawValue,
                name: list.name,
                condition: condition,
                users: context.words.number(list.users),
                author: list.author,
                changed: context.moment(list.updatedAt),
                segmentAddress: ConsolePath.newSegment.query(
                    FormFields([("condition", condition)])
                ),
                renameAction: ConsolePath.renameList("\(list.id)").path,
                deleteAction: ConsolePath.deleteList("\(list.id)").path
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = context.hasRole(atLeast: .marketer)
        action = ConsolePath.lists.path
        segmentsAddress = ConsolePath.segments.path
        self.name = name
        func fault(_ field: String) -> String? { faults.first { $0.field == field }?.text }
        nameFault = fault("name")
        fileFault = fault("file")
        listFault = fault("list")
        result = upload.map { upload in
            Result(
                text: context.words.counted("lists.uploaded", upload.list.users),
                unknown: upload.unknown.isEmpty
                    ? nil : context.words.counted("lists.unknown", upload.unknown.count),
                examples: upload.unknown.prefix(Self.unknownLimit).joined(separator: ", ")
            )
        }
    }
}
