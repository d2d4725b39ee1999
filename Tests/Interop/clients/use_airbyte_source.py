"""airbyte-source-braze: its declared streams, run by Airbyte's own kit."""

import logging

from airbyte_cdk.models import AirbyteStream, ConfiguredAirbyteCatalog
from airbyte_cdk.models import ConfiguredAirbyteStream, DestinationSyncMode, SyncMode, Type
from facts import FACTS, KEY, URL, done, same
from source_braze import SourceBraze

config = {"url": URL, "api_key": KEY, "start_date": FACTS["start"]}
source = SourceBraze()
logger = logging.getLogger("airbyte")

connected, problem = source.check_connection(logger, config)
same((connected, problem), (True, None), "check")
streams = {stream.name: stream for stream in source.streams(config)}
same(len(streams), 16, "streams")


def read(name):
    """Reads a stream as a synchronisation does."""
    catalog = ConfiguredAirbyteCatalog(
        streams=[
            ConfiguredAirbyteStream(
                stream=AirbyteStream(
                    name=name, json_schema={}, supported_sync_modes=[SyncMode.full_refresh]
                ),
                sync_mode=SyncMode.full_refresh,
                destination_sync_mode=DestinationSyncMode.append,
            )
        ]
    )
    messages = list(source.read(logger, config, catalog, {}))
    return [message.record.data for message in messages if message.type == Type.RECORD]


same(sorted(row["event_name"] for row in read("events")), ["rated", "viewed_item"], "events")
viewed = {
    row["time"]: row["count"] for row in read("events_analytics")
    if row["event_id"] == "viewed_item" and row["count"]
}
# A synchronisation ends with the day before, and the server's days are those of UTC here.
for day, count in FACTS["viewed"].items():
    same(viewed.get(day), count, f"events_analytics of {day}")
new = {row["time"]: row["new_users"] for row in read("kpi_daily_new_users")}
same(new.get(FACTS["today"]), 3, "kpi_daily_new_users")
active = {row["time"]: row["dau"] for row in read("kpi_daily_active_users")}
same(active.get(FACTS["today"]), FACTS["sessions_today"], "kpi_daily_active_users")
same(
    {row["uninstalls"] for row in read("kpi_daily_app_uninstalls")}, {0},
    "kpi_daily_app_uninstalls",
)
campaigns = {row["name"]: row for row in read("campaigns")}
same(sorted(campaigns), ["Autumn", "Receipt"], "campaigns")
same(
    {name: row["id"] for name, row in campaigns.items()}, FACTS["campaigns"],
    "identifiers of campaigns",
)
same(campaigns["Receipt"]["is_api_campaign"], True, "is_api_campaign")
same(campaigns["Autumn"]["tags"], ["tea", "season"], "tags of a campaign")
details = {row["name"]: row for row in read("campaigns_details")}
same(
    {name: (row["enabled"], row["draft"], row["archived"]) for name, row in details.items()}["Receipt"],
    (True, False, False), "campaigns_details",
)
same(
    [message["title"] for message in details["Autumn"]["messages"].values()], ["Tea"],
    "messages of campaigns_details",
)
recipients = {}
for row in read("campaigns_analytics"):
    name = next(n for n, id in FACTS["campaigns"].items() if id == row["campaign_id"])
    recipients[name] = recipients.get(name, 0) + row["unique_recipients"]
same(recipients, FACTS["sent"], "unique recipients of campaigns_analytics")
segments = read("segments")
same([(row["name"], row["id"]) for row in segments], [("Pros", FACTS["segment"])], "segments")
same([row["name"] for row in read("segments_details")], ["Pros"], "segments_details")
for row in read("segments_analytics"):
    same(row["size"], 1, "segments_analytics")
for name in ["canvases", "canvases_analytics", "canvases_details", "cards", "cards_analytics"]:
    same(read(name), [], name)
done()
