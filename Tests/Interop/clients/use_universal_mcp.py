"""universal-mcp-braze: made from Braze's published collection, it knows every parameter."""

import httpx
from facts import FACTS, KEY, URL, done, refused, same
from universal_mcp_braze.app import BrazeApp


class Key:
    """What the kit asks for the credentials."""

    def get_credentials(self):
        return {"api_key": KEY}


app = BrazeApp(integration=Key())
app.base_url = URL


def figures(answer, name):
    return {row["time"]: row[name] for row in answer["data"]}


same(sorted(app.list_events(page=0)["events"]), ["rated", "viewed_item"], "list_events")
same(app.list_events(page=1)["events"], [], "the page behind the last")
counts = figures(app.fetch_event_series_data(event="viewed_item", length=3), "count")
same(counts, FACTS["viewed"], "event series by day")
hours = app.fetch_event_series_data(event="viewed_item", length=48, unit="hour")["data"]
same(len(hours), 48, "event series by hour")
same(
    app.fetch_event_series_data(
        event="viewed_item", length=1, ending_at=FACTS["yesterday"]
    )["data"],
    [{"time": FACTS["yesterday"], "count": 2}], "a series that ended yesterday",
)
sessions = figures(app.get_sessions_data_series(length=2), "sessions")
same(sessions[FACTS["today"]], FACTS["sessions_today"], "sessions")
same(
    figures(app.list_new_user_kpi_series(length=1), "new_users"),
    {FACTS["today"]: 3}, "new users",
)
dau = [name for name in dir(app) if "daily_active" in name or "kpidau" in name][0]
same(figures(getattr(app, dau)(length=2), "dau")[FACTS["today"]], 2, "daily active users")
same(figures(app.get_kpimau_data_series(length=1), "mau"), {FACTS["today"]: 2}, "monthly users")
gone = figures(app.get_kpi_uninstalls_data_series(length=5), "uninstalls")
same(set(gone.values()), {0}, "uninstalls")

same(app.list_products(page=0)["products"], ["cup", "tea"], "products")
pieces = figures(app.get_purchase_quantity_series(length=3), "purchase_quantity")
same(pieces[FACTS["yesterday"]], 3, "pieces")
for product, paid in FACTS["revenue"].items():
    revenue = app.get_purchases_revenue_series(length=3, product=product)
    same(figures(revenue, "revenue")[FACTS["yesterday"]], paid, f"revenue of {product}")

exported = app.export_user_ids_by_post(
    external_ids=["ada"], fields_to_export=["external_id", "custom_attributes"]
)
same(
    exported["users"],
    [{"external_id": "ada", "custom_attributes": {"plan": "pro", "visits": 3}}], "export",
)
tracked = app.track_user_activity(
    attributes=[{"external_id": "ada", "visits": {"inc": 2}, "plan": None}]
)
same(tracked["attributes_processed"], 1, "track")
exported = app.export_user_ids_by_post(
    external_ids=["ada"], fields_to_export=["custom_attributes"]
)
same(exported["users"], [{"custom_attributes": {"visits": 5}}], "after track")

same(app.list_feed(page=0)["cards"], [], "news feed cards")
same(app.list_hard_bounces(start_date="2026-01-01")["emails"], [], "bounces")
app.post_email_status(email="ada@example.com", subscription_state="unsubscribed")
found = app.list_unsubscribes(email="ada@example.com")["emails"]
same([row["email"] for row in found], ["ada@example.com"], "unsubscribes")

scheduled = app.create_scheduled_message(
    broadcast=True,
    schedule={"time": "2035-01-01T00:00:00Z"},
    messages={"apple_push": {"alert": "Happy new year"}},
)
waiting = app.list_scheduled_broadcasts(end_time="2036-01-01")["scheduled_broadcasts"]
same(
    [row["name"] for row in waiting], ["Happy new year", "Happy new year"],
    "scheduled broadcasts",
)
app.delete_scheduled_message(schedule_id=scheduled["schedule_id"])
left = app.list_scheduled_broadcasts(end_time="2036-01-01")["scheduled_broadcasts"]
same(len(left), 1, "after its deletion")
campaigns = app.list_campaigns(page=0)["campaigns"]
same({row["name"]: row["id"] for row in campaigns}, FACTS["campaigns"], "campaigns")
same(app.list_campaigns(page=1)["campaigns"], [], "the page behind the last")
details = app.get_campaign_details(campaign_id=FACTS["campaigns"]["Autumn"])
same((details["name"], details["draft"]), ("Autumn", False), "a campaign")
series = app.get_campaign_data_series(campaign_id=FACTS["campaigns"]["Autumn"], length=2)
same(
    sum(row["unique_recipients"] for row in series["data"]), FACTS["sent"]["Autumn"],
    "a campaign's recipients",
)
segments = app.list_segments(page=0)["segments"]
same([(row["name"], row["id"]) for row in segments], [("Pros", FACTS["segment"])], "segments")
same(app.get_segment_details(segment_id=FACTS["segment"])["name"], "Pros", "a segment")
refused(
    lambda: app.get_campaign_details(campaign_id="no-such-campaign"), httpx.HTTPStatusError,
    "an unknown campaign",
)
refused(
    lambda: app.get_segment_details(segment_id="no-such-segment"), httpx.HTTPStatusError,
    "an unknown segment",
)
done()
