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
same(read("kpi_daily_app_uninstalls"), [], "kpi_daily_app_uninstalls")
for name in ["campaigns", "campaigns_analytics", "campaigns_details", "canvases",
             "canvases_analytics", "canvases_details", "cards", "cards_analytics", "segments",
             "segments_analytics", "segments_details"]:
    same(read(name), [], name)
done()
