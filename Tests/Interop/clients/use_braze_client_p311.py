"""braze-client-p311: track, export, campaigns with their data, and delete."""

from braze.client import BrazeClient, BrazeClientError
from facts import FACTS, KEY, URL, done, refused, same

client = BrazeClient(api_key=KEY, api_url=URL)

answer = client.user_track(
    attributes=[{"external_id": "dan", "first_name": "Dan", "stamps": {"inc": 2}}],
    events=[{"external_id": "dan", "name": "rated", "time": "2026-01-02T03:04:05Z"}],
    purchases=[],
)
same((answer["success"], answer["errors"]), (True, []), "user_track")
same((answer["attributes_processed"], answer["events_processed"]), (1, 1), "what was stored")
ada = client.user_export(external_ids=["ada"])["users"][0]
same(ada["email"], "ada@example.com", "user_export")
same(ada["total_revenue"], sum(FACTS["revenue"].values()), "total_revenue")
same(
    sorted((row["name"], row["in_control"]) for row in ada["campaigns_received"]),
    [("Autumn", False), ("Receipt", False)], "campaigns_received",
)
same([row["device_id"] for row in ada["devices"]], [FACTS["devices"]["ada"]], "devices")

receipt = FACTS["campaigns"]["Receipt"]
answer = client.campaign_trigger_send(
    receipt,
    recipients=[{"external_user_id": "bob", "trigger_properties": {"amount": 7}}],
)
same(answer["success"], True, "campaign_trigger_send")
answer = client.campaign_trigger_schedule_create(
    receipt, {"time": "2035-06-01T00:00:00Z"},
    recipients=[{"external_user_id": "bob", "trigger_properties": {"amount": 9}}],
)
same(answer["success"], True, "campaign_trigger_schedule_create")
refused(
    lambda: client.campaign_trigger_send("no-such-campaign", [{"external_user_id": "bob"}]),
    BrazeClientError, "an unknown campaign",
)
same(client.user_delete(["dan"])["deleted"], 1, "user_delete")
done()
