"""braze-sdk: exports, and attributes of whole tables."""

from braze_sdk.clients import ExportClient, UserDataClient
from facts import FACTS, KEY, URL, done, same


class Rows:
    """As much of a table of pandas as the client reads."""

    def __init__(self, rows):
        self.rows = rows
        self.columns = list(rows[0])
        self.iloc = rows

    def __len__(self):
        return len(self.rows)


export = ExportClient(KEY)
export.end_point = URL
answer = export.ids(FACTS["users"])
same(answer.status_code, 201, "export")
users = {user["external_id"]: user for user in answer.json()["users"]}
same(sorted(users), FACTS["users"], "users of the export")
same(users["ada"]["custom_attributes"], {"plan": "pro", "visits": 3}, "attributes of the export")

data = UserDataClient(KEY)
data.end_point = URL
table = Rows([
    {"external_id": user, "played_seconds": 1.5 * number, "level": number}
    for number, user in enumerate(FACTS["users"], start=1)
])
answer = data.add_custom_attributes(table, "external_id", exclude_columns=["external_id"])
same((answer.status_code, answer.json()["attributes_processed"]), (201, 3), "a table")
answer = data.add_custom_attributes_json([{"external_id": "bob", "video_played_count": 3}])
same(answer.json()["message"], "success", "a list")
users = {user["external_id"]: user for user in export.ids(FACTS["users"]).json()["users"]}
same(
    users["bob"]["custom_attributes"],
    {"played_seconds": 3, "level": 2, "video_played_count": 3}, "after both",
)
answer = data.delete_custom_attributes(Rows([{"user_id": "bob", "level": 1}]))
same(answer.status_code, 201, "removing attributes")
bob = export.ids(["bob"]).json()["users"][0]
same(
    bob["custom_attributes"], {"played_seconds": 3, "video_played_count": 3}, "after the removal"
)
done()
