"""braze-client: track, export and delete."""

from braze.client import BrazeClient, BrazeClientError
from facts import FACTS, KEY, URL, done, refused, same

client = BrazeClient(api_key=KEY, api_url=URL)

answer = client.user_track(
    attributes=[{"external_id": "dan", "first_name": "Dan", "email": "dan@example.com"}],
    events=[
        {"external_id": "dan", "name": "rated", "time": "2026-01-02T03:04:05+09:00",
         "properties": {"stars": 5}},
    ],
    purchases=[
        {"external_id": "dan", "product_id": "pot", "currency": "JPY", "price": 3000,
         "time": "2026-01-02T03:04:05Z"},
    ],
)
same(
    (answer["success"], answer["status_code"], answer["errors"]), (True, 201, []), "user_track"
)
same(answer["events_processed"], 1, "user_track")

exported = client.user_export(external_ids=["ada", "nobody"])
same(exported["invalid_user_ids"], ["nobody"], "user_export")
ada = exported["users"][0]
same(
    (ada["external_id"], ada["first_name"], ada["email"], ada["custom_attributes"]),
    ("ada", "Ada", "ada@example.com", {"plan": "pro", "visits": 3}),
    "user_export",
)
same(
    {event["name"]: event["count"] for event in ada["custom_events"]},
    {"viewed_item": 3, "rated": 1},
    "events of the export",
)
same(sorted(bought["name"] for bought in ada["purchases"]), ["cup", "tea"], "purchases")

exported = client.user_export(email="bob@example.com", fields_to_export=["external_id"])
same(exported["users"], [{"external_id": "bob"}], "user_export by e-mail address")

partial = client.user_track(attributes=[{"external_id": "dan", "gender": "?"}])
same(partial["success"], False, "an attribute at fault")
same([(e["index"], e["field"]) for e in partial["errors"]], [(0, "gender")], "its error")

problem = refused(lambda: client.user_track(events={"name": "x"}), BrazeClientError, "a bad list")
same("events" in str(problem.args[0]), True, "the message names the field")
problem = refused(
    lambda: BrazeClient(api_key="wrong", api_url=URL).user_delete(["dan"]),
    BrazeClientError, "a wrong key",
)
problem = refused(
    lambda: client.campaign_trigger_schedule_create(
        "no-such-campaign", {"time": "2030-01-01T00:00:00Z"}, broadcast=True
    ),
    BrazeClientError, "an unknown campaign",
)
older = BrazeClient(api_key=KEY, api_url=URL, use_auth_header=False)
same(older.user_export(external_ids=["dan"])["users"][0]["first_name"], "Dan", "key in the body")

same(client.user_delete(["dan", "nobody"])["deleted"], 1, "user_delete")
same(client.user_export(external_ids=["dan"])["users"], [], "after user_delete")
done()
